package io.stowline.testkit.internal.strict.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Decodes parts of raw paths. */
final class RawText {

    private RawText() {}

    /** The text without percent escapes; as it is when one of them is broken. A plus sign stands for itself in a path. */
    static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return raw;
        }
    }
}

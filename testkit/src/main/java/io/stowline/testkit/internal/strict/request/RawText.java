package io.stowline.testkit.internal.strict.request;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** Decodes parts of raw paths. */
final class RawText {

    private RawText() {}

    /** Returns the text without percent escapes; unchanged when one of them is broken. */
    static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return raw;
        }
    }
}

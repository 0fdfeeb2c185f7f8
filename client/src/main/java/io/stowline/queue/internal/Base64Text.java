package io.stowline.queue.internal;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Base64 as it comes: with or without padding, broken into lines, with blanks around. */
final class Base64Text {

    private Base64Text() {}

    static String of(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** How long the text of so many bytes is. */
    static long length(long bytes) {
        return (bytes + 2) / 3 * 4;
    }

    static byte @Nullable [] decode(String text) {
        String trimmed = text.strip();
        String oneLine = trimmed.indexOf('\n') < 0 && trimmed.indexOf('\r') < 0
                ? trimmed
                : trimmed.replace("\r", "").replace("\n", "");
        try {
            return Base64.getDecoder().decode(oneLine);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}

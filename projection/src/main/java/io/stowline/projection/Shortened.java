package io.stowline.projection;

/** A value as it stands in an error message: never longer than a line. */
final class Shortened {

    private static final int MAX_CHARS = 40;

    private Shortened() {}

    static String quoted(CharSequence text) {
        if (text.length() <= MAX_CHARS) {
            return "\"" + text + "\"";
        }
        return "\"" + text.subSequence(0, MAX_CHARS) + "…\" (" + text.length() + " characters)";
    }
}

package io.stowline.projection.internal.edm;

/** A value as it stands in an error message: never longer than a line. */
public final class Abbreviation {

    private static final int MAX_CHARS = 40;

    private Abbreviation() {}

    public static String quoted(CharSequence text) {
        if (text.length() <= MAX_CHARS) {
            return "\"" + text + "\"";
        }
        return "\"" + text.subSequence(0, MAX_CHARS) + "…\" (" + text.length() + " characters)";
    }
}

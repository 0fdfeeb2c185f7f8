package io.stowline.projection.internal.edm;

import java.util.Locale;

/** A value as it stands in an error message: never longer than a line, and without what would forge another line of a log. */
public final class Abbreviation {

    private static final int MAX_CHARS = 40;

    private Abbreviation() {}

    public static String quoted(CharSequence text) {
        if (text.length() <= MAX_CHARS) {
            return "\"" + printable(text) + "\"";
        }
        return "\"" + printable(text.subSequence(0, MAX_CHARS)) + "…\" (" + text.length() + " characters)";
    }

    /** Returns the text with its control characters, separators of lines and marks of direction escaped. */
    public static String printable(CharSequence text) {
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (Character.getType(c)) {
                case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    line.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
                default -> line.append(c);
            }
        }
        return line.toString();
    }
}

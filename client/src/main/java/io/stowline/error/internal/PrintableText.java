package io.stowline.error.internal;

import java.util.Locale;

/**
 * A filter that escapes a text from outside so that it fits into one line (decision 116). Names of blobs and texts of services may hold line breaks, which would forge
 * lines of a log, and escapes, which would drive the terminal that shows it.
 */
public final class PrintableText {

    /** Room for two keys, a name of a table and the longest texts of the service. */
    private static final int MAX = 6_000;

    private PrintableText() {}

    /**
     * Escapes a text.
     *
     * @param text a text from outside
     * @return the text in one line; one that is very long is cut
     */
    public static String of(String text) {
        int end = end(text);
        int first = 0;
        while (first < end && plain(text, first)) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(end + 16).append(text, 0, first);
        for (int i = first; i < end; i++) {
            char c = text.charAt(i);
            if (plain(text, i)) {
                line.append(c);
            } else if (c == '\n') {
                line.append("\\n");
            } else if (c == '\r') {
                line.append("\\r");
            } else if (c == '\t') {
                line.append("\\t");
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
            }
        }
        return end < text.length() ? line.append('…').toString() : line.toString();
    }

    /** A cut leaves no half of a character. */
    private static int end(String text) {
        if (text.length() <= MAX) {
            return text.length();
        }
        return Character.isHighSurrogate(text.charAt(MAX - 1)) ? MAX - 1 : MAX;
    }

    /**
     * True for all but control characters, separators of lines, characters that turn the direction of writing, and halves of characters, which
     * no encoding can hold.
     */
    private static boolean plain(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
        }
        return plain(c);
    }

    private static boolean plain(char c) {
        if (c >= 0x20 && c < 0x7F) {
            return true;
        }
        boolean control = c < 0x20 || c <= 0x9F;
        boolean separator = c == 0x2028 || c == 0x2029;
        boolean direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
        return !control && !separator && !direction;
    }
}

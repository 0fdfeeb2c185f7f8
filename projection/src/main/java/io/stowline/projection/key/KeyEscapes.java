package io.stowline.projection.key;

import java.util.Locale;

/**
 * Escapes that keep the order of UTF-16 units: a character becomes a lead and its number in two hexadecimal digits,
 * where the lead is the nearest character at or below it that a key may hold (decision 37). The leads are escaped too, so that a lead
 * in a key always begins an escape. An unescaped character keeps its place, as a lead stands at the head of all that it
 * leads for.
 *
 * <p>Below {@code $} nothing but the quotation mark is left, so it leads for all of them: nothing unescaped is that
 * low.
 */
final class KeyEscapes {

    private static final int LIMIT = 0xA0;
    private static final int WIDTH = 3;

    private final char[] leads = new char[LIMIT];

    KeyEscapes(char separator) {
        fill(0x00, '#', '"');
        fill('.', '/', '.');
        fill('>', '?', '>');
        fill('[', '\\', '[');
        fill('~', LIMIT - 1, '~');
        char below = (char) (separator - 1);
        if (leads[separator] == 0) {
            fill(below, separator, leads[below] == 0 ? below : leads[below]);
        }
    }

    private void fill(int first, int last, char lead) {
        for (int c = first; c <= last; c++) {
            leads[c] = lead;
        }
    }

    /** Returns whether a character begins escapes, whatever the separator. */
    static boolean isLead(char c) {
        return c == '"' || c == '.' || c == '>' || c == '[' || c == '~';
    }

    String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 2 * WIDTH);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (lead(c) == 0) {
                escaped.append(c);
            } else {
                escaped.append(lead(c)).append(String.format(Locale.ROOT, "%02X", (int) c));
            }
        }
        return escaped.toString();
    }

    /** Appends the character that stands at a position; returns how many characters it takes there, 0 if no escape makes them. */
    int read(String key, int position, int end, StringBuilder text) {
        char c = key.charAt(position);
        if (lead(c) == 0) {
            text.append(c);
            return 1;
        }
        if (end - position < WIDTH) {
            return 0;
        }
        int escaped = digit(key.charAt(position + 1)) * 16 + digit(key.charAt(position + 2));
        if (escaped < 0 || escaped >= LIMIT || leads[escaped] != c) {
            return 0;
        }
        text.append((char) escaped);
        return WIDTH;
    }

    private char lead(char c) {
        return c < LIMIT ? leads[c] : 0;
    }

    /** The value of an upper-case hexadecimal digit; so low for any other character that a pair with it is negative. */
    private static int digit(char c) {
        int value = "0123456789ABCDEF".indexOf(c);
        return value < 0 ? -0x100 : value;
    }
}

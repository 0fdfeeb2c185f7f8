package io.stowline.projection.internal.edm;

import java.util.Locale;

/** Checks of UTF-16 text, in code points. */
public final class CodePoints {

    private CodePoints() {}

    /** Returns the index of the first surrogate that has no partner, or -1. Such text has no UTF-8 form. */
    public static int firstUnpaired(CharSequence text) {
        int i = 0;
        while (i < text.length()) {
            int codePoint = Character.codePointAt(text, i);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                return i;
            }
            i += Character.charCount(codePoint);
        }
        return -1;
    }

    /** Returns the code point at an index as {@code U+0041}. */
    public static String name(CharSequence text, int index) {
        return String.format(Locale.ROOT, "U+%04X", Character.codePointAt(text, index));
    }
}

package io.stowline.ring;

import java.util.regex.Pattern;

/** The form of texts from outside in messages: one line without control characters, which would forge lines of a log. */
final class OneLine {

    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private OneLine() {}

    /** Returns a text whose unprintable characters are question marks. */
    static String of(String text) {
        return UNPRINTABLE.matcher(text).replaceAll("?");
    }
}

package io.stowline.testkit.internal.wire;

import java.util.regex.Pattern;

/** A check and a measure of Base64 that do not decode it. */
public final class Base64Check {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9+/]*+={0,2}");

    private Base64Check() {}

    public static boolean isValid(String text) {
        return text.length() % 4 == 0 && FORM.matcher(text).matches();
    }

    /** Returns the number of bytes in a valid text. */
    public static int length(String text) {
        return text.length() / 4 * 3 - padding(text);
    }

    private static int padding(String text) {
        if (text.endsWith("==")) {
            return 2;
        }
        return text.endsWith("=") ? 1 : 0;
    }
}

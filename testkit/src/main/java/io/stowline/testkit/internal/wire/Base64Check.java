package io.stowline.testkit.internal.wire;

/** Measures and checks Base64 without decoding it. */
public final class Base64Check {

    private Base64Check() {}

    public static boolean isValid(String text) {
        int length = text.length();
        if (length % 4 != 0) {
            return false;
        }
        int padding = padding(text);
        for (int i = 0; i < length - padding; i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
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

    private static boolean isDigit(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
    }
}

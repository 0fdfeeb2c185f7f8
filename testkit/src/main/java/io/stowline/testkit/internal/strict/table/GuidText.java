package io.stowline.testkit.internal.strict.table;

/** Checks the text of an Edm.Guid: 32 hexadecimal digits, bare or in five groups, which may stand in brackets. */
public final class GuidText {

    private static final int DIGITS = 32;
    private static final int GROUPED = 36;

    private GuidText() {}

    public static boolean isValid(String text) {
        String bare = isBracketed(text) ? text.substring(1, text.length() - 1) : text;
        return bare.length() == DIGITS ? isHex(bare, false) : bare.length() == GROUPED && isHex(bare, true);
    }

    private static boolean isBracketed(String text) {
        return (text.startsWith("{") && text.endsWith("}")) || (text.startsWith("(") && text.endsWith(")"));
    }

    private static boolean isHex(String text, boolean grouped) {
        for (int i = 0; i < text.length(); i++) {
            boolean dash = grouped && (i == 8 || i == 13 || i == 18 || i == 23);
            if (dash ? text.charAt(i) != '-' : Character.digit(text.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }
}

package io.stowline.table.internal;

/** Tells numbers in JSON apart. */
public final class JsonNumbers {

    private static final int LONGEST_SURE = 18;

    private JsonNumbers() {}

    /**
     * Whether a number is written without fraction and exponent and fits in a long.
     *
     * @param text the number as it stands in the JSON
     * @return true for such a number
     */
    public static boolean whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' || c == 'e' || c == 'E') {
                return false;
            }
        }
        return text.length() <= LONGEST_SURE;
    }
}

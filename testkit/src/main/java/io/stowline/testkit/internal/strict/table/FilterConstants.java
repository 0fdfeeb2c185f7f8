package io.stowline.testkit.internal.strict.table;

import java.util.regex.Pattern;

/** The constants of a {@code $filter}: numbers, and what stands in quotes after a prefix. */
final class FilterConstants {

    private static final Pattern NUMBER =
            Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?[LlDdFfMm]?|-?INF|NaN");

    private FilterConstants() {}

    /** Returns whether the text in quotes is one of the type that the prefix names; unknown prefixes pass. */
    static boolean isValid(String prefix, String text) {
        return switch (prefix) {
            case "guid" -> GuidText.isValid(text);
            case "datetime" -> DateTimeText.year(text).isPresent();
            case "X", "binary" -> isHex(text);
            default -> true;
        };
    }

    /** Returns whether a word is a number, or does not begin like one. */
    static boolean isValidNumber(String word) {
        char first = word.charAt(0);
        boolean number = first == '-' || (first >= '0' && first <= '9');
        return !number || NUMBER.matcher(word).matches();
    }

    private static boolean isHex(String text) {
        return text.length() % 2 == 0 && text.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    }
}

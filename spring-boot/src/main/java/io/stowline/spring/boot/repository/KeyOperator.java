package io.stowline.spring.boot.repository;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.filter.Filter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A comparison of a derived method that leaves the values of a key in one range. */
enum KeyOperator {
    EQUAL(1),
    STARTING_WITH(1),
    BETWEEN(2),
    GREATER(1),
    AT_LEAST(1),
    LESS(1),
    AT_MOST(1);

    private static final Map<String, KeyOperator> BY_KEYWORD = Map.ofEntries(
            Map.entry("", EQUAL),
            Map.entry("Is", EQUAL),
            Map.entry("Equals", EQUAL),
            Map.entry("StartingWith", STARTING_WITH),
            Map.entry("StartsWith", STARTING_WITH),
            Map.entry("Between", BETWEEN),
            Map.entry("GreaterThan", GREATER),
            Map.entry("After", GREATER),
            Map.entry("GreaterThanEqual", AT_LEAST),
            Map.entry("LessThan", LESS),
            Map.entry("Before", LESS),
            Map.entry("LessThanEqual", AT_MOST));

    private final int arguments;

    KeyOperator(int arguments) {
        this.arguments = arguments;
    }

    /** Returns the operator of a keyword; null if there is none. */
    static @Nullable KeyOperator of(String keyword) {
        return BY_KEYWORD.get(keyword);
    }

    /** Returns the number of values that it compares with. */
    int arguments() {
        return arguments;
    }

    /**
     * Returns the condition on the row key.
     *
     * @throws InvalidValueException if the ends are swapped, or the prefix is empty
     */
    Filter rows(String first, String last) {
        if (first.compareTo(last) > 0 && this == BETWEEN) {
            throw new InvalidKeyException("the range of row keys: the first comes after the last");
        }
        return switch (this) {
            case EQUAL -> Filter.rowKey().equalTo(first);
            case STARTING_WITH -> Filter.rowKey().startsWith(first);
            case BETWEEN -> Filter.rowKey().between(first, last);
            case GREATER -> Filter.rowKey().greaterThan(first);
            case AT_LEAST -> Filter.rowKey().atLeast(first);
            case LESS -> Filter.rowKey().lessThan(first);
            case AT_MOST -> Filter.rowKey().atMost(first);
        };
    }

    /** Returns the first value of a range of an index; null for the smallest one. */
    @Nullable
    String from(String first) {
        return switch (this) {
            case LESS, AT_MOST -> null;
            case GREATER -> next(first);
            default -> first;
        };
    }

    /** Returns the first value after a range of an index; null if it has no end. */
    @Nullable
    String below(String first, String last) {
        return switch (this) {
            case GREATER, AT_LEAST -> null;
            case LESS -> first;
            case STARTING_WITH -> afterAll(first);
            default -> next(last);
        };
    }

    /** Returns the smallest text that comes after this one. */
    private static String next(String text) {
        return text + '\0';
    }

    /** Returns the first text in the order of UTF-16 units after all that begin with this one; null if there is none. */
    private static @Nullable String afterAll(String prefix) {
        int end = prefix.length();
        while (end > 0 && prefix.charAt(end - 1) == Character.MAX_VALUE) {
            end--;
        }
        if (end == 0) {
            return null;
        }
        int last = prefix.codePointBefore(end);
        int after = last == Character.MIN_SURROGATE - 1
                ? Character.MIN_SUPPLEMENTARY_CODE_POINT
                : last == Character.MAX_CODE_POINT ? Character.MAX_SURROGATE + 1 : last + 1;
        return prefix.substring(0, end - Character.charCount(last)) + Character.toString(after);
    }
}

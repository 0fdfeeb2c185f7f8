package io.stowline.projection.filter;

import org.jspecify.annotations.Nullable;

/**
 * The upper bound of all strings with a prefix, in the service's ordinal order, which is that of UTF-16 units.
 *
 * <p>In that order the code points beyond the basic plane (surrogate pairs, U+D800 on) stand between U+D7FF and U+E000.
 * Noncharacters such as U+FFFE are valid text and take part like any other; leaving them out would let strings without
 * the prefix into the range.
 */
final class PrefixBound {

    private static final int LAST_BEFORE_SURROGATES = 0xD7FF;
    private static final int FIRST_AFTER_SURROGATES = 0xE000;
    private static final int LAST_OF_BASIC_PLANE = 0xFFFF;

    private PrefixBound() {}

    /** The smallest valid string above every string with the prefix; null when there is none. */
    static @Nullable String after(String prefix) {
        int end = prefix.length();
        while (end > 0) {
            int last = prefix.codePointBefore(end);
            end -= Character.charCount(last);
            if (last != LAST_OF_BASIC_PLANE) {
                return prefix.substring(0, end) + Character.toString(next(last));
            }
        }
        return null;
    }

    private static int next(int codePoint) {
        return switch (codePoint) {
            case LAST_BEFORE_SURROGATES -> Character.MIN_SUPPLEMENTARY_CODE_POINT;
            case Character.MAX_CODE_POINT -> FIRST_AFTER_SURROGATES;
            default -> codePoint + 1;
        };
    }
}

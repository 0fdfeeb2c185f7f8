package io.stowline.projection.filter;

import io.stowline.projection.EntityType;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.UnsupportedTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The left side of a comparison in a filter; made by {@link Filter#property(String)} and its siblings.
 *
 * <p>A property of a mapped type ({@link Filter#property(EntityType, String)}) takes values of its component's type and compares them as
 * they are stored. Any other property takes a value of a type in the table of {@link EntityType}, boxed or not. It compares the value as a
 * literal of its stored type. <b>The literal's type must be that of the stored property</b>: an {@code Edm.Int64} is compared with a
 * {@code long} ({@code 5L}), not with an {@code int}; the service finds nothing otherwise. Every value is quoted and escaped by its type.
 *
 * <p>All comparisons throw {@code IllegalArgumentException} for a value of another type, NaN, an infinity, a time out of
 * range, or text with an unpaired surrogate, and {@code NullPointerException} for null, which the service does not have.
 * Order is refused where it would not be the order of the values: booleans, UUIDs, enums, durations,
 * {@code BigDecimal} and {@code BigInteger}, and of a mapped type whatever is stored
 * in another order than its values. <b>What is stored as text equals as text</b>: the scale of a
 * {@code BigDecimal} counts, so that 5 does not find 5.00.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class FilterProperty {

    private static final Set<String> WORDS =
            Set.of("and", "or", "not", "eq", "ne", "gt", "ge", "lt", "le", "true", "false", "null");

    private final String name;
    private final @Nullable EdmType demanded;
    private final @Nullable PropertyDescriptor mapped;

    private FilterProperty(String name, @Nullable EdmType demanded, @Nullable PropertyDescriptor mapped) {
        this.name = name;
        this.demanded = demanded;
        this.mapped = mapped;
    }

    static FilterProperty typed(PropertyDescriptor property) {
        refuseWord(property.name());
        return new FilterProperty(property.name(), null, property);
    }

    static FilterProperty custom(String name) {
        refuseWord(name);
        return new FilterProperty(PropertyNames.check(name), null, null);
    }

    static FilterProperty system(String name, EdmType type) {
        return new FilterProperty(name, type, null);
    }

    private static void refuseWord(String name) {
        if (WORDS.contains(name)) {
            throw new IllegalArgumentException("property name \"" + name + "\" is a word of the filter language");
        }
    }

    /**
     * Returns the condition that the property equals the value.
     *
     * @param value the value
     * @return the condition
     */
    public Filter equalTo(Object value) {
        return compare("eq", value);
    }

    /**
     * Returns the condition that the property exists and does not equal the value.
     *
     * @param value the value
     * @return the condition
     */
    public Filter notEqualTo(Object value) {
        return compare("ne", value);
    }

    /**
     * Returns the condition that the property is greater than the value.
     *
     * @param value the value
     * @return the condition
     */
    public Filter greaterThan(Object value) {
        return compareOrder("gt", value);
    }

    /**
     * Returns the condition that the property is greater than the value or equals it.
     *
     * @param value the value
     * @return the condition
     */
    public Filter atLeast(Object value) {
        return compareOrder("ge", value);
    }

    /**
     * Returns the condition that the property is less than the value.
     *
     * @param value the value
     * @return the condition
     */
    public Filter lessThan(Object value) {
        return compareOrder("lt", value);
    }

    /**
     * Returns the condition that the property is less than the value or equals it.
     *
     * @param value the value
     * @return the condition
     */
    public Filter atMost(Object value) {
        return compareOrder("le", value);
    }

    /**
     * Returns the condition that the property lies in a range, <b>both ends included</b>. Counts as two comparisons.
     *
     * @param low the lowest value
     * @param high the highest value, of the same type
     * @return the condition
     * @throws IllegalArgumentException if the two are of different types, beside the reasons above
     */
    public Filter between(Object low, Object high) {
        Filter fromLow = atLeast(low);
        Filter toHigh = atMost(high);
        checkSameType(low, high);
        return fromLow.and(toHigh);
    }

    /**
     * Returns the condition that the property equals one of the values. Counts as a comparison for each.
     *
     * @param values the values, at least one, all of the same type
     * @return the condition
     * @throws IllegalArgumentException if there is none, or if two are of different types, beside the reasons above
     */
    public Filter in(Collection<?> values) {
        if (values.isEmpty()) {
            throw new InvalidValueException("filter on " + name + ": no value to compare with; at least one is needed");
        }
        Object first = values.iterator().next();
        List<Filter> equalities = new ArrayList<>(values.size());
        for (Object value : values) {
            equalities.add(equalTo(value));
            checkSameType(first, value);
        }
        return Filter.any(equalities);
    }

    /**
     * Returns the condition that the property equals one of the values; see {@link #in(Collection)}.
     *
     * @param values the values, at least one, all of the same type
     * @return the condition
     */
    public Filter in(Object... values) {
        return in(Arrays.asList(values));
    }

    private void checkSameType(Object one, Object other) {
        if (mapped == null && EdmType.of(one) != EdmType.of(other)) {
            throw new IllegalArgumentException("filter on " + name + ": "
                    + one.getClass().getName() + " and " + other.getClass().getName() + " are not of the same type");
        }
    }

    /**
     * Returns the condition that the text begins with a prefix: a range from the prefix to the first string after all that have it. Counts
     * as two comparisons, or one when nothing comes after (a prefix of U+FFFF only).
     *
     * @param prefix the prefix, not empty: every text begins with the empty one, so leave the condition out
     * @return the condition
     */
    public Filter startsWith(String prefix) {
        checkPresent(prefix);
        if (prefix.isEmpty()) {
            throw new InvalidValueException("filter on " + name + ": the prefix is empty; leave the condition out");
        }
        Filter from = atLeast(prefix);
        String bound = PrefixBound.after(prefix);
        return bound == null ? from : from.and(lessThan(bound));
    }

    /**
     * Returns the condition that the property is true.
     *
     * @return the condition
     */
    public Filter isTrue() {
        return equalTo(true);
    }

    /**
     * Returns the condition that the property is false.
     *
     * @return the condition
     */
    public Filter isFalse() {
        return equalTo(false);
    }

    private Filter compareOrder(String operator, Object value) {
        checkPresent(value);
        Class<?> type = mapped == null ? value.getClass() : mapped.javaType();
        if (mapped == null ? isUnordered(type) : !mapped.ordered()) {
            throw new IllegalArgumentException("filter on " + name + ": values of " + type.getName()
                    + " are not stored in their order; compare for equality only");
        }
        return compare(operator, value);
    }

    private static boolean isUnordered(Class<?> type) {
        ValueType rule = ValueType.of(type);
        return rule != null && !rule.ordered();
    }

    private Filter compare(String operator, Object value) {
        checkPresent(value);
        Object stored = mapped == null ? value : mapped.stored(value);
        EdmType type = EdmType.of(stored);
        if (type == null) {
            throw new IllegalArgumentException("filter on " + name + ": " + UnsupportedTypes.advice(value.getClass()));
        }
        if (demanded != null && type != demanded) {
            throw new IllegalArgumentException("filter on " + name + ": "
                    + value.getClass().getName() + " is not of its type " + demanded.wireName());
        }
        return Filter.comparison(name, operator, type, stored);
    }

    private void checkPresent(@Nullable Object value) {
        if (value == null) {
            throw new NullPointerException("filter on " + name
                    + ": the value is null; the service has no null to compare with, it leaves the property out");
        }
    }

    /**
     * The upper bound of all strings with a prefix, in the service's ordinal order, which is that of UTF-16 units.
     *
     * <p>In that order the code points beyond the basic plane (surrogate pairs, U+D800 on) stand between U+D7FF and U+E000.
     * Noncharacters such as U+FFFE are valid text and take part like any other; leaving them out would let strings without
     * the prefix into the range.
     */
    static final class PrefixBound {

        private static final int LAST_BEFORE_SURROGATES = 0xD7FF;
        private static final int FIRST_AFTER_SURROGATES = 0xE000;
        private static final int LAST_OF_BASIC_PLANE = 0xFFFF;

        private PrefixBound() {}

        /** Returns the smallest valid string above every string with the prefix; null when there is none. */
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
}

package io.stowline.projection;

import java.util.ArrayList;
import java.util.List;

/**
 * A condition on entities, in the service's filter language.
 *
 * <pre>{@code
 * Filter adults = Filter.property("age").atLeast(18)
 *         .and(Filter.rowKey().startsWith("BIB:"), Filter.property("active").isTrue());
 * }</pre>
 *
 * <p>Names are checked and values are quoted and escaped by their type; there is no way to put raw text into a filter.
 * The service takes at most {@value #MAX_COMPARISONS} comparisons in one query (Microsoft Learn, "Querying tables and
 * entities"): {@link #toOData} refuses more.
 *
 * <p>Immutable and safe for use by many threads. Two filters are equal when their text is.
 */
public final class Filter {

    /** The most comparisons in one query. */
    public static final int MAX_COMPARISONS = 15;

    /** How an expression binds when it stands inside another. */
    private enum Binding {
        ATOM,
        AND,
        OR
    }

    /** What one comparison compares. */
    private record Comparison(String property, EdmType type) {}

    private final String text;
    private final Binding binding;
    private final List<Comparison> comparisons;

    private Filter(String text, Binding binding, List<Comparison> comparisons) {
        this.text = text;
        this.binding = binding;
        this.comparisons = comparisons;
    }

    static Filter comparison(String property, String operator, EdmType type, Object value) {
        String text = property + " " + operator + " " + WireLiterals.of(type, value);
        return new Filter(text, Binding.ATOM, List.of(new Comparison(property, type)));
    }

    /**
     * Begins a condition on a property.
     *
     * @param name the property's name in the table
     * @return what to compare
     * @throws IllegalArgumentException if the name breaks the rules of {@link PropertyNames}, is one of the service's own
     *     properties (they have methods of their own) or a word of the filter language
     */
    public static FilterProperty property(String name) {
        return FilterProperty.custom(name);
    }

    /**
     * Begins a condition on the partition key; values are text.
     *
     * @return what to compare
     */
    public static FilterProperty partitionKey() {
        return FilterProperty.system(PropertyNames.PARTITION_KEY, EdmType.STRING);
    }

    /**
     * Begins a condition on the row key; values are text.
     *
     * @return what to compare
     */
    public static FilterProperty rowKey() {
        return FilterProperty.system(PropertyNames.ROW_KEY, EdmType.STRING);
    }

    /**
     * Begins a condition on the server's time of the last change; values are times. The service has no index on it.
     *
     * @return what to compare
     */
    public static FilterProperty timestamp() {
        return FilterProperty.system(PropertyNames.TIMESTAMP, EdmType.DATETIME);
    }

    /**
     * All of the conditions hold.
     *
     * @param filters the conditions, at least one
     * @return their conjunction
     * @throws IllegalArgumentException if there is none
     */
    public static Filter all(List<Filter> filters) {
        return join(filters, " and ", Binding.AND);
    }

    /**
     * At least one of the conditions holds.
     *
     * @param filters the conditions, at least one
     * @return their disjunction
     * @throws IllegalArgumentException if there is none
     */
    public static Filter any(List<Filter> filters) {
        return join(filters, " or ", Binding.OR);
    }

    /**
     * This condition and all of the others hold.
     *
     * @param others the other conditions
     * @return the conjunction
     */
    public Filter and(Filter... others) {
        return all(withThis(others));
    }

    /**
     * This condition or at least one of the others holds.
     *
     * @param others the other conditions
     * @return the disjunction
     */
    public Filter or(Filter... others) {
        return any(withThis(others));
    }

    /**
     * This condition does not hold.
     *
     * @return the negation
     */
    public Filter not() {
        return new Filter("not (" + text + ")", Binding.ATOM, comparisons);
    }

    /**
     * The number of comparisons, of which one query takes {@value #MAX_COMPARISONS}.
     *
     * @return the number; a range or a prefix has two
     */
    public int comparisons() {
        return comparisons.size();
    }

    /**
     * Checks the number of comparisons.
     *
     * @return this filter
     * @throws IllegalArgumentException if there are more than {@value #MAX_COMPARISONS}
     */
    public Filter checked() {
        if (comparisons() > MAX_COMPARISONS) {
            throw new IllegalArgumentException(
                    "filter: " + comparisons() + " comparisons; the limit of one query is " + MAX_COMPARISONS);
        }
        return this;
    }

    /**
     * Checks that values have the types in which a record's properties are stored. A literal of another type is no error to the
     * service: it just finds nothing. Properties that the record does not have are not checked.
     *
     * @param type how the record maps to properties
     * @return this filter
     * @throws IllegalArgumentException naming the property and both types, if one differs
     */
    public Filter checkedFor(EntityType<?> type) {
        for (Comparison comparison : comparisons) {
            int index = type.indexOf(comparison.property());
            if (index >= 0 && type.properties().get(index).type() != comparison.type()) {
                throw new IllegalArgumentException("filter on " + comparison.property() + ": the value is "
                        + comparison.type().wireName() + ", but "
                        + type.javaType().getSimpleName() + " stores the property as "
                        + type.properties().get(index).type().wireName() + "; the service would find nothing");
            }
        }
        return this;
    }

    /**
     * The text of the filter, ready to be percent-encoded as the value of {@code $filter}.
     *
     * @return the text
     * @throws IllegalArgumentException if there are more than {@value #MAX_COMPARISONS} comparisons
     */
    public String toOData() {
        return checked().text;
    }

    /** The text of the filter, not checked for the number of comparisons. */
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Filter filter && filter.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    private List<Filter> withThis(Filter... others) {
        List<Filter> filters = new ArrayList<>(others.length + 1);
        filters.add(this);
        filters.addAll(List.of(others));
        return filters;
    }

    private static Filter join(List<Filter> filters, String word, Binding binding) {
        if (filters.isEmpty()) {
            throw new IllegalArgumentException("no condition to join; at least one is needed");
        }
        if (filters.size() == 1) {
            return filters.get(0);
        }
        List<String> parts = new ArrayList<>(filters.size());
        List<Comparison> comparisons = new ArrayList<>();
        for (Filter filter : filters) {
            boolean looser = filter.binding.compareTo(binding) > 0;
            parts.add(looser ? "(" + filter.text + ")" : filter.text);
            comparisons.addAll(filter.comparisons);
        }
        return new Filter(String.join(word, parts), binding, List.copyOf(comparisons));
    }
}

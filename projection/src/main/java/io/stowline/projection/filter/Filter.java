package io.stowline.projection.filter;

import io.stowline.projection.EntityType;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * A condition on entities, in the service's filter language.
 *
 * <pre>{@code
 * Filter adults = Filter.property("age").atLeast(18)
 *         .and(Filter.rowKey().startsWith("BIB:"), Filter.property("active").isTrue());
 * }</pre>
 *
 * <p>Names are checked and values are quoted and escaped by their type; only {@link #raw} takes text as it is. The service takes at most {@value #MAX_COMPARISONS} comparisons in one query (Microsoft Learn, "Querying tables and
 * entities"): {@link #toOData} refuses more.
 *
 * <p>Immutable and safe for use by many threads. Two filters are equal when their text is.
 */
public final class Filter {

    /** The most comparisons in one query. */
    public static final int MAX_COMPARISONS = 15;

    /** The precedence of an expression inside another one. */
    private enum Binding {
        ATOM,
        AND,
        OR
    }

    /** The range that a comparison leaves to the values of its property. */
    private enum Limit {
        ONE_VALUE,
        RANGE,
        NONE
    }

    /** The operands of one comparison. */
    private record Comparison(String property, EdmType type, Limit limit, Object value) {}

    private final String text;
    private final Binding binding;
    private final int comparisons;
    private final List<Comparison> typed;
    private final List<Comparison> conjuncts;

    private Filter(String text, Binding binding, int comparisons, List<Comparison> typed, List<Comparison> conjuncts) {
        this.text = text;
        this.binding = binding;
        this.comparisons = comparisons;
        this.typed = typed;
        this.conjuncts = conjuncts;
    }

    static Filter comparison(String property, String operator, EdmType type, Object value) {
        String text = property + " " + operator + " " + ODataLiterals.of(type, value);
        List<Comparison> self = List.of(new Comparison(property, type, limit(operator, value), value));
        return new Filter(text, Binding.ATOM, 1, self, self);
    }

    /** All texts are above the empty one, so that a comparison with it limits nothing. */
    private static Limit limit(String operator, Object value) {
        return switch (operator) {
            case "eq" -> Limit.ONE_VALUE;
            case "gt", "ge" -> value.equals("") ? Limit.NONE : Limit.RANGE;
            case "lt", "le" -> Limit.RANGE;
            default -> Limit.NONE;
        };
    }

    /**
     * Begins a condition on a property.
     *
     * @param name the property's name in the table
     * @return what to compare
     * @throws IllegalArgumentException if the name breaks the rules of {@link PropertyNames}, is one of the service's own properties (they
     *     have separate methods) or a word of the filter language
     */
    public static FilterProperty property(String name) {
        Objects.requireNonNull(name, "name");
        return FilterProperty.custom(name);
    }

    /**
     * Begins a condition on a component of a mapped type. Values are of the component's type and are compared in the form in which it is
     * stored, converted if it has a converter; an {@code int} for an {@code Edm.Int64} is widened.
     *
     * @param type the mapping
     * @param component a component, a path such as {@code address.city}, or the name of a property in the table; those of keys and
     *     timestamp too
     * @return what to compare
     * @throws IllegalArgumentException if there is none of this name, naming those with the nearest names
     */
    public static FilterProperty property(EntityType<?> type, String component) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(component, "component");
        return FilterProperty.typed(type.property(component));
    }

    /**
     * Returns a condition given as text of the filter language, for what the typed methods cannot express. <b>Nothing in it is quoted,
     * escaped or checked by type</b>; never build it of what users have typed. Its comparisons count; it reveals nothing of keys to
     * {@link #fixes} and {@link #bounds}.
     *
     * @param odata the text, not percent-encoded
     * @return the condition
     * @throws IllegalArgumentException if the text is empty, or has a quote or a parenthesis without its partner, or an unpaired surrogate
     */
    public static Filter raw(String odata) {
        Objects.requireNonNull(odata, "odata");
        return new Filter(odata, Binding.OR, FilterTokenizer.comparisons(odata), List.of(), List.of());
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
     * Returns a condition that holds if all of these conditions hold.
     *
     * @param filters the conditions, at least one
     * @return their conjunction
     * @throws IllegalArgumentException if there is none
     */
    public static Filter all(List<Filter> filters) {
        return join(filters, " and ", Binding.AND);
    }

    /**
     * Returns a condition that holds if at least one of these conditions holds.
     *
     * @param filters the conditions, at least one
     * @return their disjunction
     * @throws IllegalArgumentException if there is none
     */
    public static Filter any(List<Filter> filters) {
        return join(filters, " or ", Binding.OR);
    }

    /**
     * Returns a condition that holds if this one and all of the others hold.
     *
     * @param others the other conditions
     * @return the conjunction
     */
    public Filter and(Filter... others) {
        return all(withThis(others));
    }

    /**
     * Returns a condition that holds if this one or at least one of the others holds.
     *
     * @param others the other conditions
     * @return the disjunction
     */
    public Filter or(Filter... others) {
        return any(withThis(others));
    }

    /**
     * Returns a condition that holds if this one does not.
     *
     * @return the negation
     */
    public Filter not() {
        return new Filter("not (" + text + ")", Binding.ATOM, comparisons, typed, List.of());
    }

    /**
     * Returns the number of comparisons, of which one query takes {@value #MAX_COMPARISONS}.
     *
     * @return the number; a range or a prefix has two
     */
    public int comparisons() {
        return comparisons;
    }

    /**
     * Returns whether all matching entities have one and the same value of a property: a comparison for equality stands alone or in a
     * conjunction. What stands in an {@code or}, a {@code not} or raw text fixes nothing.
     *
     * @param property the property's name in the table
     * @return true if it has one value
     */
    public boolean fixes(String property) {
        return fixed(property).isPresent();
    }

    /**
     * Returns the one value that a property has in all matching entities, if {@link #fixes} holds.
     *
     * @param property the property's name in the table
     * @return the value, or empty if it may have several
     */
    public Optional<Object> fixed(String property) {
        return conjuncts.stream()
                .filter(conjunct -> conjunct.limit() == Limit.ONE_VALUE
                        && conjunct.property().equals(property))
                .map(Comparison::value)
                .findFirst();
    }

    /**
     * Returns whether the values of a property are limited to a range: by an order or an equality that stands alone or in a conjunction. An
     * inequality and the empty text as lower end limit nothing.
     *
     * @param property the property's name in the table
     * @return true if it is limited
     */
    public boolean bounds(String property) {
        return conjuncts.stream()
                .anyMatch(conjunct ->
                        conjunct.limit() != Limit.NONE && conjunct.property().equals(property));
    }

    /**
     * Returns whether every comparison limits one of these properties to a range, alone or in a conjunction, so that nothing else decides.
     *
     * @param properties the properties' names in the table
     * @return true if it does; false with an {@code or}, a {@code not}, raw text, an inequality or the empty text as lower end
     */
    public boolean boundsOnly(String... properties) {
        List<String> names = List.of(properties);
        return conjuncts.size() == comparisons
                && conjuncts.stream()
                        .allMatch(conjunct -> conjunct.limit() != Limit.NONE && names.contains(conjunct.property()));
    }

    /**
     * Checks the number of comparisons.
     *
     * @return this filter
     * @throws IllegalArgumentException if there are more than {@value #MAX_COMPARISONS}
     */
    public Filter checked() {
        if (comparisons > MAX_COMPARISONS) {
            throw new InvalidValueException(
                    "filter: " + comparisons + " comparisons; the limit of one query is " + MAX_COMPARISONS);
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
        for (Comparison comparison : typed) {
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
     * Returns the text of the filter, ready to be percent-encoded as the value of {@code $filter}.
     *
     * @return the text
     * @throws IllegalArgumentException if there are more than {@value #MAX_COMPARISONS} comparisons
     */
    public String toOData() {
        return checked().text;
    }

    /** Returns the text of the filter, not checked for the number of comparisons. */
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
        Objects.requireNonNull(filters, "filters");
        if (filters.isEmpty()) {
            throw new IllegalArgumentException("no condition to join; at least one is needed");
        }
        if (filters.size() == 1) {
            return filters.get(0);
        }
        List<String> parts = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            boolean looser = filter.binding.compareTo(binding) > 0;
            parts.add(looser ? "(" + filter.text + ")" : filter.text);
        }
        return new Filter(
                String.join(word, parts),
                binding,
                filters.stream().mapToInt(Filter::comparisons).sum(),
                merged(filters, filter -> filter.typed),
                binding == Binding.AND ? merged(filters, filter -> filter.conjuncts) : List.of());
    }

    private static List<Comparison> merged(List<Filter> filters, Function<Filter, List<Comparison>> part) {
        return filters.stream().flatMap(filter -> part.apply(filter).stream()).toList();
    }
}

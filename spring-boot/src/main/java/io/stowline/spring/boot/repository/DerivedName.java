package io.stowline.spring.boot.repository;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * The name of a derived method in its parts. Immutable.
 *
 * @param verb what becomes of the entities
 * @param criteria the comparisons, in the order of their parameters
 * @param unknown the first property that is neither key nor index; null if all are
 * @param <T> the type of the entities
 */
record DerivedName<T>(
        Verb verb, List<Criterion<T>> criteria, @Nullable String unknown) {

    private static final Pattern NAME = Pattern.compile("(find|exists|delete)By([A-Z0-9_].*)");
    private static final Pattern AND = Pattern.compile("And(?=[A-Z])");

    /** The beginning of a name. */
    enum Verb {
        FIND,
        EXISTS,
        DELETE
    }

    /**
     * A comparison of one property.
     *
     * @param property the property
     * @param operator the comparison
     * @param argument the place of its first value among the parameters
     */
    record Criterion<T>(KeyProperty<T> property, KeyOperator operator, int argument) {

        boolean isEquality() {
            return operator == KeyOperator.EQUAL;
        }
    }

    DerivedName {
        criteria = List.copyOf(criteria);
    }

    /** Returns the parts of a name; null if it does not begin as those of derived methods do. */
    static <T> @Nullable DerivedName<T> of(String method, KeyProperties<T> keys) {
        Matcher name = NAME.matcher(method);
        if (!name.matches()) {
            return null;
        }
        Verb verb = Verb.valueOf(name.group(1).toUpperCase(Locale.ROOT));
        List<Criterion<T>> criteria = new ArrayList<>();
        String unknown = null;
        for (String rest = name.group(2); !rest.isEmpty(); ) {
            int argument = criteria.stream()
                    .mapToInt(criterion -> criterion.operator().arguments())
                    .sum();
            Found<T> found = found(rest, keys, argument);
            if (found == null) {
                String words = head(rest);
                unknown = unknown == null ? property(words) : unknown;
                rest = after(rest, words.length());
            } else {
                criteria.add(found.criterion());
                rest = found.rest();
            }
        }
        return new DerivedName<>(verb, criteria, unknown);
    }

    /** A criterion, and the name after it. */
    private record Found<T>(Criterion<T> criterion, String rest) {}

    private static <T> @Nullable Found<T> found(String rest, KeyProperties<T> keys, int argument) {
        for (KeyProperty<T> property : keys.at(rest)) {
            String words = head(rest.substring(property.name().length()));
            KeyOperator operator = KeyOperator.of(words);
            if (operator != null) {
                return new Found<>(
                        new Criterion<>(property, operator, argument),
                        after(rest, property.name().length() + words.length()));
            }
        }
        return null;
    }

    /** Returns a name up to its first {@code And}. */
    private static String head(String name) {
        Matcher and = AND.matcher(name);
        return and.find() ? name.substring(0, and.start()) : name;
    }

    /** Returns the rest of a name after so many characters and an {@code And}. */
    private static String after(String name, int length) {
        return name.length() == length ? "" : name.substring(length + "And".length());
    }

    /** Returns the property of words that may end with a keyword. */
    private static String property(String words) {
        for (int end = 1; end < words.length(); end++) {
            if (Character.isUpperCase(words.charAt(end)) && KeyOperator.of(words.substring(end)) != null) {
                return StringUtils.uncapitalize(words.substring(0, end));
            }
        }
        return StringUtils.uncapitalize(words);
    }
}

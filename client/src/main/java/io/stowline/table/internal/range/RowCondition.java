package io.stowline.table.internal.range;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.Entity;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition of the filter language for rows of a file, read from its text: comparisons, {@code and}, {@code or}, {@code not} and
 * parentheses. As in the service a comparison with a property that the row lacks, or that has another type there, does not hold. Serves one
 * reading.
 */
final class RowCondition {

    private static final Set<String> OPERATORS = Set.of("eq", "ne", "gt", "ge", "lt", "le");
    private static final String DELIMITERS = " \t\r\n()',";

    private final String text;
    private int at;

    private RowCondition(String text) {
        this.text = text;
    }

    /**
     * Returns the test of a condition.
     *
     * @throws IllegalArgumentException if it is none, or has a function, naming the place
     */
    static Predicate<Entity> of(String text) {
        RowCondition condition = new RowCondition(text);
        Predicate<Entity> test = condition.disjunction();
        condition.passSpace();
        if (condition.at < text.length()) {
            throw condition.refused("something follows its end");
        }
        return test;
    }

    private Predicate<Entity> disjunction() {
        Predicate<Entity> left = conjunction();
        while (takes("or")) {
            left = left.or(conjunction());
        }
        return left;
    }

    private Predicate<Entity> conjunction() {
        Predicate<Entity> left = negation();
        while (takes("and")) {
            left = left.and(negation());
        }
        return left;
    }

    private Predicate<Entity> negation() {
        return takes("not") ? negation().negate() : group();
    }

    private Predicate<Entity> group() {
        if (!takes('(')) {
            return comparison();
        }
        Predicate<Entity> inside = disjunction();
        if (!takes(')')) {
            throw refused("a parenthesis is not closed");
        }
        return inside;
    }

    private Predicate<Entity> comparison() {
        String name = word();
        if (name.isEmpty()) {
            throw refused("the name of a property is missing");
        }
        if (isAt('(')) {
            throw refused("the function " + name + " is not evaluated");
        }
        int before = at;
        String operator = word();
        if (!OPERATORS.contains(operator)) {
            at = before;
            return entity -> Boolean.TRUE.equals(stored(entity, name));
        }
        Object literal = literal();
        IntPredicate test = test(operator);
        return entity -> {
            Object value = stored(entity, name);
            return value != null
                    && value.getClass() == literal.getClass()
                    && !value.equals(Double.NaN)
                    && test.test(compare(value, literal));
        };
    }

    private static @Nullable Object stored(Entity entity, String name) {
        return switch (name) {
            case PropertyNames.PARTITION_KEY -> entity.partitionKey();
            case PropertyNames.ROW_KEY -> entity.rowKey();
            case PropertyNames.TIMESTAMP -> entity.timestamp();
            default -> entity.get(name);
        };
    }

    private static IntPredicate test(String operator) {
        return switch (operator) {
            case "eq" -> order -> order == 0;
            case "ne" -> order -> order != 0;
            case "gt" -> order -> order > 0;
            case "ge" -> order -> order >= 0;
            case "lt" -> order -> order < 0;
            default -> order -> order <= 0;
        };
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // both are of one class, which is comparable to itself
    private static int compare(Object value, Object literal) {
        if (value instanceof byte[] bytes) {
            return Arrays.compareUnsigned(bytes, (byte[]) literal);
        }
        if (value instanceof UUID) {
            return value.toString().compareTo(literal.toString());
        }
        if (value instanceof Double number) {
            // both zeros are equal as numbers
            return Double.compare(number + 0.0, (Double) literal + 0.0);
        }
        return ((Comparable) value).compareTo(literal);
    }

    private Object literal() {
        String word = word();
        String quoted = isAt('\'') ? quotedText() : null;
        try {
            return quoted == null ? bare(word) : quoted(word, quoted);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused("a constant is missing or is none of the service's: " + e.getMessage());
        }
    }

    private static Object quoted(String type, String value) {
        return switch (type) {
            case "" -> value;
            case "datetime" -> EdmDateTime.parse(value);
            case "guid" -> UUID.fromString(value);
            case "X", "binary" -> HexFormat.of().parseHex(value);
            default -> throw new IllegalArgumentException(type + " is no type");
        };
    }

    private static Object bare(String word) {
        if (word.equals("true") || word.equals("false")) {
            return Boolean.valueOf(word);
        }
        if (word.endsWith("L")) {
            return Long.valueOf(word.substring(0, word.length() - 1));
        }
        return word.matches(".*[.eE].*") ? (Object) Double.valueOf(word) : (Object) Integer.valueOf(word);
    }

    /** Reads a text in quotes, in which a quote is doubled. */
    private String quotedText() {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw refused("a quote is not closed");
            }
            value.append(text, at, quote);
            at = quote + 1;
            if (!isAt('\'')) {
                return value.toString();
            }
            value.append('\'');
            at++;
        }
    }

    private void passSpace() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private String word() {
        passSpace();
        int from = at;
        while (at < text.length() && DELIMITERS.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at);
    }

    private boolean takes(String keyword) {
        int before = at;
        if (word().equals(keyword)) {
            return true;
        }
        at = before;
        return false;
    }

    private boolean takes(char sign) {
        passSpace();
        boolean fits = isAt(sign);
        at += fits ? 1 : 0;
        return fits;
    }

    private boolean isAt(char sign) {
        return at < text.length() && text.charAt(at) == sign;
    }

    private IllegalArgumentException refused(String reason) {
        return new IllegalArgumentException(PrintableText.of(
                "where: the rows of a file are tested by comparisons, and, or, not and parentheses, but"
                        + " the condition " + text + " has at position " + at + ": " + reason));
    }
}

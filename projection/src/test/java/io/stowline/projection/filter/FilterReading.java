package io.stowline.projection.filter;

import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;

/**
 * Reads a filter by the grammar and the precedence of the filter language (comparison, not, and, or) and evaluates it on an
 * entity whose values are of the eight stored classes. A literal of another type than the stored value matches nothing. It
 * shares nothing with the code that writes filters.
 */
final class FilterReading {

    private final String text;
    private final Map<String, Object> entity;
    private int position;

    private FilterReading(String text, Map<String, Object> entity) {
        this.text = text;
        this.entity = entity;
    }

    static boolean holds(String filter, Map<String, Object> entity) {
        FilterReading reading = new FilterReading(filter, entity);
        boolean value = reading.disjunction();
        if (reading.position != filter.length()) {
            throw new IllegalStateException("text is left at " + reading.position + " of: " + filter);
        }
        return value;
    }

    private boolean disjunction() {
        boolean value = conjunction();
        while (take(" or ")) {
            value |= conjunction();
        }
        return value;
    }

    private boolean conjunction() {
        boolean value = negation();
        while (take(" and ")) {
            value &= negation();
        }
        return value;
    }

    private boolean negation() {
        return take("not ") ? !negation() : group();
    }

    private boolean group() {
        if (!take("(")) {
            return comparison();
        }
        boolean value = disjunction();
        if (!take(")")) {
            throw new IllegalStateException("a parenthesis is open at " + position + " of: " + text);
        }
        return value;
    }

    private boolean comparison() {
        Object stored = entity.get(word());
        position++;
        String operator = word();
        position++;
        Object literal = literal();
        return stored != null
                && stored.getClass() == literal.getClass()
                && test(operator).test(compare(stored, literal));
    }

    private static IntPredicate test(String operator) {
        return switch (operator) {
            case "eq" -> order -> order == 0;
            case "ne" -> order -> order != 0;
            case "gt" -> order -> order > 0;
            case "ge" -> order -> order >= 0;
            case "lt" -> order -> order < 0;
            case "le" -> order -> order <= 0;
            default -> throw new IllegalStateException("no operator: " + operator);
        };
    }

    @SuppressWarnings("unchecked") // both are of one class, each of which is comparable to itself
    private static int compare(Object stored, Object literal) {
        return stored instanceof byte[] bytes
                ? Arrays.compareUnsigned(bytes, (byte[]) literal)
                : ((Comparable<Object>) stored).compareTo(literal);
    }

    private Object literal() {
        String word = word();
        if (position < text.length() && text.charAt(position) == '\'') {
            return quoted(word, string());
        }
        if (word.equals("true") || word.equals("false")) {
            return Boolean.valueOf(word);
        }
        if (word.endsWith("L")) {
            return Long.valueOf(word.substring(0, word.length() - 1));
        }
        return word.contains(".") ? (Object) Double.valueOf(word) : (Object) Integer.valueOf(word);
    }

    private static Object quoted(String prefix, String value) {
        return switch (prefix) {
            case "" -> value;
            case "datetime" -> Instant.parse(value);
            case "guid" -> UUID.fromString(value);
            case "X", "binary" -> HexFormat.of().parseHex(value);
            default -> throw new IllegalStateException("no literal: " + prefix + "'");
        };
    }

    private String string() {
        StringBuilder value = new StringBuilder();
        position++;
        while (true) {
            int quote = text.indexOf('\'', position);
            value.append(text, position, quote);
            position = quote + 1;
            if (position == text.length() || text.charAt(position) != '\'') {
                return value.toString();
            }
            value.append('\'');
            position++;
        }
    }

    private String word() {
        int start = position;
        while (position < text.length() && " ()'".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return text.substring(start, position);
    }

    private boolean take(String expected) {
        if (!text.startsWith(expected, position)) {
            return false;
        }
        position += expected.length();
        return true;
    }
}

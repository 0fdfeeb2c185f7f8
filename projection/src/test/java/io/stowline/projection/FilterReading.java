package io.stowline.projection;

import java.util.Map;
import java.util.function.IntPredicate;

/**
 * Reads a filter of integers by the precedence of the filter language (comparison, not, and, or) and evaluates it. It
 * shares nothing with the code that writes filters.
 */
final class FilterReading {

    private final String text;
    private final Map<String, Integer> entity;
    private int position;

    private FilterReading(String text, Map<String, Integer> entity) {
        this.text = text;
        this.entity = entity;
    }

    static boolean holds(String filter, Map<String, Integer> entity) {
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
        int stored = entity.get(word());
        position++;
        String operator = word();
        position++;
        int literal = Integer.parseInt(word());
        return test(operator, literal).test(stored);
    }

    private static IntPredicate test(String operator, int literal) {
        return switch (operator) {
            case "eq" -> stored -> stored == literal;
            case "ne" -> stored -> stored != literal;
            case "gt" -> stored -> stored > literal;
            case "ge" -> stored -> stored >= literal;
            case "lt" -> stored -> stored < literal;
            case "le" -> stored -> stored <= literal;
            default -> throw new IllegalStateException("no operator: " + operator);
        };
    }

    private String word() {
        int start = position;
        while (position < text.length() && " ()".indexOf(text.charAt(position)) < 0) {
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

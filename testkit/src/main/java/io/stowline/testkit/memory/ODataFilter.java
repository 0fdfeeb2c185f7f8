package io.stowline.testkit.memory;

import io.stowline.testkit.memory.EdmProperty.EdmKind;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A {@code $filter} of the table service: comparisons, {@code and}, {@code or}, {@code not} and parentheses. A comparison with a property that
 * an entity lacks, or that has another type there, does not hold. Serves one parse.
 */
final class ODataFilter {

    private static final Set<String> COMPARISONS = Set.of("eq", "ne", "gt", "ge", "lt", "le");

    private final String text;
    private int at;

    private ODataFilter(String text) {
        this.text = text;
    }

    /**
     * Parses a filter.
     *
     * @throws RefusedOperation if it is none
     */
    static Predicate<Map<String, EdmProperty>> parse(String text) {
        ODataFilter filter = new ODataFilter(text);
        Predicate<Map<String, EdmProperty>> parsed = filter.or();
        filter.blanks();
        if (filter.at < text.length()) {
            throw filter.invalid("something follows its end");
        }
        return parsed;
    }

    private Predicate<Map<String, EdmProperty>> or() {
        Predicate<Map<String, EdmProperty>> left = and();
        while (takes("or")) {
            left = left.or(and());
        }
        return left;
    }

    private Predicate<Map<String, EdmProperty>> and() {
        Predicate<Map<String, EdmProperty>> left = not();
        while (takes("and")) {
            left = left.and(not());
        }
        return left;
    }

    private Predicate<Map<String, EdmProperty>> not() {
        if (takes("not")) {
            return not().negate();
        }
        blanks();
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            Predicate<Map<String, EdmProperty>> inside = or();
            blanks();
            if (at >= text.length() || text.charAt(at) != ')') {
                throw invalid("a parenthesis is not closed");
            }
            at++;
            return inside;
        }
        return comparison();
    }

    private Predicate<Map<String, EdmProperty>> comparison() {
        String name = word();
        if (name.isEmpty()) {
            throw invalid("a property is missing");
        }
        if (at < text.length() && text.charAt(at) == '(') {
            throw new RefusedOperation(501, "NotImplemented", "The function " + name + " is not supported.");
        }
        blanks();
        int before = at;
        String operator = word();
        if (!COMPARISONS.contains(operator)) {
            at = before;
            return entity -> entity.get(name) != null
                    && Boolean.TRUE.equals(entity.get(name).value());
        }
        EdmProperty constant = constant();
        IntPredicate wanted = wanted(operator);
        return entity -> {
            EdmProperty property = entity.get(name);
            Integer order = property == null ? null : property.compare(constant);
            return order != null && wanted.test(order);
        };
    }

    private static IntPredicate wanted(String operator) {
        return switch (operator) {
            case "eq" -> order -> order == 0;
            case "ne" -> order -> order != 0;
            case "gt" -> order -> order > 0;
            case "ge" -> order -> order >= 0;
            case "lt" -> order -> order < 0;
            default -> order -> order <= 0;
        };
    }

    private EdmProperty constant() {
        blanks();
        if (at < text.length() && text.charAt(at) == '\'') {
            return EdmProperty.text(quoted());
        }
        String word = word();
        if (at < text.length() && text.charAt(at) == '\'') {
            return typed(word, quoted());
        }
        if (word.equals("true") || word.equals("false")) {
            return EdmProperty.of(EdmKind.BOOLEAN, word);
        }
        if (word.isEmpty()) {
            throw invalid("a constant is missing");
        }
        boolean complete = word.endsWith("L") || word.endsWith("l");
        return complete ? EdmProperty.of(EdmKind.INT64, word.substring(0, word.length() - 1)) : number(word);
    }

    private EdmProperty number(String word) {
        try {
            return EdmProperty.number(word);
        } catch (NumberFormatException e) {
            throw invalid("the constant " + word + " is not known");
        }
    }

    private EdmProperty typed(String prefix, String value) {
        try {
            return switch (prefix.toLowerCase(Locale.ROOT)) {
                case "datetime" -> EdmProperty.time(Instant.parse(value));
                case "guid" -> new EdmProperty(EdmKind.GUID, UUID.fromString(value));
                case "x", "binary" -> new EdmProperty(EdmKind.BINARY, value.toLowerCase(Locale.ROOT));
                default -> throw invalid("the constant " + prefix + "'" + value + "' is not known");
            };
        } catch (java.time.DateTimeException | IllegalArgumentException e) {
            throw invalid("'" + value + "' is no value of " + prefix);
        }
    }

    private String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c != '\'') {
                value.append(c);
            } else if (at < text.length() && text.charAt(at) == '\'') {
                value.append(text.charAt(at++));
            } else {
                return value.toString();
            }
        }
        throw invalid("a string is not closed");
    }

    private boolean takes(String keyword) {
        blanks();
        int end = at + keyword.length();
        if (text.regionMatches(true, at, keyword, 0, keyword.length())
                && (end == text.length() || !inWord(text.charAt(end)))) {
            at = end;
            return true;
        }
        return false;
    }

    private String word() {
        blanks();
        int from = at;
        while (at < text.length() && inWord(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private static boolean inWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '+' || c == '.' || c == '@';
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private RefusedOperation invalid(String why) {
        return new RefusedOperation(400, "InvalidInput", "The filter is not valid at " + at + ": " + why + ": " + text);
    }
}

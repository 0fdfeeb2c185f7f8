package io.stowline.testkit.memory;

import io.stowline.testkit.internal.wire.EdmKind;
import io.stowline.testkit.internal.wire.FilterToken;
import io.stowline.testkit.internal.wire.FilterToken.TokenKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code $filter} of the table service: comparisons, {@code and}, {@code or}, {@code not} and parentheses. A comparison with a property that
 * an entity lacks, or that has another type there, does not hold. Serves one parse.
 */
final class ODataFilter {

    private static final Set<String> COMPARISONS = Set.of("eq", "ne", "gt", "ge", "lt", "le");

    private final String text;
    private final List<FilterToken> tokens;
    private int at;

    private ODataFilter(String text) {
        this.text = text;
        this.tokens = FilterToken.of(text);
    }

    /**
     * Parses a filter.
     *
     * @throws RefusedOperation if it is none
     */
    static Predicate<Map<String, EdmProperty>> parse(String text) {
        ODataFilter filter = new ODataFilter(text);
        Predicate<Map<String, EdmProperty>> parsed = filter.or();
        if (filter.peek() != null) {
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
        if (!takesSign("(")) {
            return comparison();
        }
        Predicate<Map<String, EdmProperty>> inside = or();
        if (!takesSign(")")) {
            throw invalid("a parenthesis is not closed");
        }
        return inside;
    }

    private Predicate<Map<String, EdmProperty>> comparison() {
        FilterToken property = peek();
        if (property == null || property.kind() != TokenKind.WORD) {
            throw invalid("a property is missing");
        }
        String name = property.text();
        if (property.call()) {
            throw new RefusedOperation(501, "NotImplemented", "The function " + name + " is not supported.");
        }
        at++;
        FilterToken operator = peek();
        if (operator == null || operator.kind() != TokenKind.WORD || !COMPARISONS.contains(operator.text())) {
            return entity -> entity.get(name) != null
                    && Boolean.TRUE.equals(entity.get(name).value());
        }
        at++;
        EdmProperty constant = constant();
        IntPredicate wanted = wanted(operator.text());
        return entity -> {
            EdmProperty value = entity.get(name);
            Integer order = value == null ? null : value.compare(constant);
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
        FilterToken token = peek();
        if (token == null || token.kind() == TokenKind.SIGN) {
            throw invalid("a constant is missing");
        }
        if (!token.closed()) {
            throw invalid("a string is not closed");
        }
        EdmProperty constant = token.kind() == TokenKind.QUOTED ? quoted(token) : bare(token.text());
        at++;
        return constant;
    }

    private EdmProperty quoted(FilterToken token) {
        String value = token.text();
        try {
            return switch (token.prefix().toLowerCase(Locale.ROOT)) {
                case "" -> EdmProperty.text(value);
                case "datetime" -> EdmProperty.time(Instant.parse(value));
                case "guid" -> new EdmProperty(EdmKind.GUID, UUID.fromString(value));
                case "x", "binary" -> new EdmProperty(EdmKind.BINARY, value.toLowerCase(Locale.ROOT));
                default -> throw invalid("the constant " + token.prefix() + "'" + value + "' is not known");
            };
        } catch (DateTimeException | IllegalArgumentException e) {
            throw invalid("'" + value + "' is no value of " + token.prefix());
        }
    }

    private EdmProperty bare(String word) {
        if (word.equals("true") || word.equals("false")) {
            return EdmProperty.of(EdmKind.BOOLEAN, word);
        }
        if (word.endsWith("L") || word.endsWith("l")) {
            return EdmProperty.of(EdmKind.INT64, word.substring(0, word.length() - 1));
        }
        try {
            return EdmProperty.number(word);
        } catch (NumberFormatException e) {
            throw invalid("the constant " + word + " is not known");
        }
    }

    private @Nullable FilterToken peek() {
        return at < tokens.size() ? tokens.get(at) : null;
    }

    private boolean takes(String keyword) {
        FilterToken token = peek();
        return takes(
                token != null && token.kind() == TokenKind.WORD && token.text().equalsIgnoreCase(keyword));
    }

    private boolean takesSign(String sign) {
        FilterToken token = peek();
        return takes(token != null && token.isSign(sign));
    }

    private boolean takes(boolean fits) {
        at += fits ? 1 : 0;
        return fits;
    }

    private RefusedOperation invalid(String why) {
        FilterToken token = peek();
        int place = token == null ? text.length() : token.at();
        return new RefusedOperation(
                400, "InvalidInput", "The filter is not valid at " + place + ": " + why + ": " + text);
    }
}

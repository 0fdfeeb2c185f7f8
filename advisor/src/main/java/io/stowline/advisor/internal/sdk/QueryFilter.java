package io.stowline.advisor.internal.sdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filter of a query as the service searches by it: comparisons of keys that must hold narrow the search, all others reject rows. A
 * filter that combines comparisons of keys in another way, or that is malformed, has no class.
 *
 * @param queryClass the part of the table that the service searches, by the names of Stowline's queries; {@code unknown} if it is not judged
 * @param shape the filter with a question mark in place of each value
 * @param partition the partition key, if the query is for one partition
 * @param rejects whether rows are rejected that lie in the range of keys
 */
record QueryFilter(
        String queryClass, String shape, @Nullable String partition, boolean rejects) {

    private static final String UNKNOWN = "unknown";
    private static final String PARTITION_KEY = "PartitionKey";
    private static final String ROW_KEY = "RowKey";
    private static final int FULL_PAGE = 1_000;
    private static final int MAX_CHARS = 16 << 10;
    private static final int MAX_DEPTH = 64;
    private static final Set<String> RANGES = Set.of("gt", "ge", "lt", "le");

    private static final Pattern TOKEN = Pattern.compile("\\s*+(?:"
            + "(?<value>(?:[A-Za-z]++)?'(?:[^']++|'')*+'|-?[0-9][0-9A-Za-z.+-]*+)"
            + "|(?<word>[\\p{L}_][\\p{L}\\p{N}_./]*+)"
            + "|(?<mark>[(),]))\\s*+");

    private static final Set<String> CONSTANTS = Set.of("true", "false", "null");

    static QueryFilter of(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return new QueryFilter("table-scan", "", null, false);
        }
        List<Token> tokens = text.length() <= MAX_CHARS ? tokens(text) : List.of();
        if (tokens.isEmpty()) {
            return new QueryFilter(UNKNOWN, "?", null, false);
        }
        Parser parser = new Parser(tokens);
        boolean understood = parser.filter(true, 0) && parser.next == tokens.size();
        Conditions conditions = parser.conditions;
        String shape = shape(tokens);
        if (!understood || conditions.entangled) {
            return new QueryFilter(UNKNOWN, shape, null, false);
        }
        boolean rejects = conditions.others || (conditions.rows && conditions.partition == null);
        return new QueryFilter(conditions.queryClass(), shape, conditions.partition, rejects);
    }

    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        Matcher token = TOKEN.matcher(text);
        int end = 0;
        while (end < text.length()) {
            token.region(end, text.length());
            if (!token.lookingAt()) {
                return List.of();
            }
            String value = token.group("value");
            String word = token.group("word");
            boolean constant = value != null || (word != null && CONSTANTS.contains(word));
            tokens.add(
                    constant
                            ? new Token("?", value == null ? word : value, true)
                            : new Token(word == null ? token.group("mark") : word, "", false));
            end = token.end();
        }
        return tokens;
    }

    private static String shape(List<Token> tokens) {
        StringBuilder shape = new StringBuilder();
        for (Token token : tokens) {
            boolean close = token.is(")") || token.is(",");
            boolean begin = shape.length() == 0 || shape.charAt(shape.length() - 1) == '(';
            shape.append(close || begin ? "" : " ").append(token.text);
        }
        return shape.toString();
    }

    /** Returns an estimate of the entities that the service has scanned for a page, as Stowline makes it for its own queries. */
    int scanned(int rows) {
        return switch (queryClass) {
            case "point" -> 1;
            case UNKNOWN -> Math.max(1, rows);
            default -> Math.max(rejects ? FULL_PAGE : 1, rows);
        };
    }

    /**
     * A word or mark of a filter, or a value, which is a question mark.
     *
     * @param value the value as it is written, or an empty text
     */
    private record Token(String text, String value, boolean isValue) {

        boolean is(String other) {
            return !isValue && text.equals(other);
        }

        boolean isMark() {
            return is("(") || is(")") || is(",");
        }

        boolean isKey() {
            return is(PARTITION_KEY) || is(ROW_KEY);
        }
    }

    /** The conditions that must hold. */
    private static final class Conditions {

        private boolean partitions;
        private @Nullable String partition;
        private boolean rows;
        private boolean row;
        private boolean others;
        private boolean entangled;

        void add(String property, String operator, String value) {
            boolean text = value.startsWith("'");
            boolean equal = operator.equals("eq") && text;
            boolean bound = equal || (RANGES.contains(operator) && text);
            if (!bound || !(property.equals(PARTITION_KEY) || property.equals(ROW_KEY))) {
                others = true;
            } else if (property.equals(PARTITION_KEY)) {
                partitions = true;
                partition = equal ? value.substring(1, value.length() - 1).replace("''", "'") : partition;
            } else {
                rows = true;
                row |= equal;
            }
        }

        String queryClass() {
            if (partition != null) {
                return row ? "point" : rows ? "row-range" : "partition";
            }
            return partitions ? "partition-range" : "table-scan";
        }
    }

    /** A parser of comparisons with {@code and}, {@code or}, {@code not} and brackets. */
    private static final class Parser {

        private final List<Token> tokens;
        private final Conditions conditions = new Conditions();
        private int next;

        Parser(List<Token> tokens) {
            this.tokens = tokens;
        }

        private boolean takes(String text) {
            boolean found = next < tokens.size() && tokens.get(next).is(text);
            next += found ? 1 : 0;
            return found;
        }

        /** Reads alternatives; conditions in one of several do not have to hold. */
        boolean filter(boolean required, int depth) {
            if (depth > MAX_DEPTH) {
                return false;
            }
            boolean only = required && !hasAlternative();
            if (required && !only) {
                conditions.others = true;
            }
            do {
                if (!all(only, depth)) {
                    return false;
                }
            } while (takes("or"));
            return true;
        }

        /** Returns whether an {@code or} follows before the bracket closes. */
        private boolean hasAlternative() {
            int open = 0;
            for (int i = next; i < tokens.size() && open >= 0; i++) {
                if (open == 0 && tokens.get(i).is("or")) {
                    return true;
                }
                open += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            }
            return false;
        }

        private boolean all(boolean required, int depth) {
            do {
                if (!one(required, depth)) {
                    return false;
                }
            } while (takes("and"));
            return true;
        }

        private boolean one(boolean required, int depth) {
            if (takes("not")) {
                conditions.others = true;
                return depth < MAX_DEPTH && one(false, depth + 1);
            }
            return takes("(") ? filter(required, depth + 1) && takes(")") : comparison(required);
        }

        private boolean comparison(boolean required) {
            if (next + 3 > tokens.size()) {
                return false;
            }
            Token left = tokens.get(next);
            Token operator = tokens.get(next + 1);
            Token right = tokens.get(next + 2);
            next += 3;
            boolean ordered = !left.isValue && !left.isMark() && right.isValue;
            if (!ordered || !(operator.is("eq") || operator.is("ne") || RANGES.contains(operator.text))) {
                return false;
            }
            if (required) {
                conditions.add(left.text, operator.text, right.value);
            } else {
                conditions.others = true;
                conditions.entangled |= left.isKey();
            }
            return true;
        }
    }
}

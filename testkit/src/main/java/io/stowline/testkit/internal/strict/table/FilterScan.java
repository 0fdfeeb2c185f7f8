package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import java.util.Set;

/** Goes over a {@code $filter} once: counts its comparisons, checks its constants and finds what it must not hold. */
final class FilterScan {

    private static final int MAX_COMPARISONS = 15;
    private static final Set<String> COMPARISONS = Set.of("eq", "ne", "gt", "ge", "lt", "le");
    private static final Set<String> ARITHMETIC = Set.of("add", "sub", "mul", "div", "mod");

    private final String filter;
    private final Rulebook rules;
    private int at;
    private int comparisons;
    private boolean operand;

    private FilterScan(String filter, Rulebook rules) {
        this.filter = filter;
        this.rules = rules;
    }

    static void check(String filter, Rulebook rules) {
        FilterScan scan = new FilterScan(filter, rules);
        while (scan.at < filter.length()) {
            scan.next();
        }
        if (scan.comparisons > MAX_COMPARISONS) {
            rules.refuse(
                    StrictRule.FILTER_COMPARISONS,
                    "No more than " + MAX_COMPARISONS + " comparisons are permitted within a filter: "
                            + scan.comparisons);
        }
    }

    private void next() {
        char c = filter.charAt(at);
        if (c == '\'') {
            constant("");
        } else if (isWord(c)) {
            word();
        } else {
            operand = c == ')' || (c == ' ' && operand);
            at++;
        }
    }

    private void word() {
        int from = at;
        while (at < filter.length() && isWord(filter.charAt(at))) {
            at++;
        }
        String word = filter.substring(from, at);
        if (at < filter.length() && filter.charAt(at) == '\'') {
            constant(word);
        } else if (operand) {
            operator(word);
        } else if (at < filter.length() && filter.charAt(at) == '(' && !word.equals("not")) {
            refuseFunction(word);
        } else if (!word.equals("not")) {
            checkNumber(word);
            operand = true;
        }
    }

    private void operator(String word) {
        comparisons += COMPARISONS.contains(word) ? 1 : 0;
        if (ARITHMETIC.contains(word)) {
            refuseFunction(word);
        }
        operand = false;
    }

    private void constant(String prefix) {
        int from = ++at;
        boolean closed = false;
        while (at < filter.length() && !closed) {
            if (filter.charAt(at++) == '\'') {
                closed = at >= filter.length() || filter.charAt(at) != '\'';
                at += closed ? 0 : 1;
            }
        }
        if (!closed || !FilterConstants.isValid(prefix, filter.substring(from, at - 1))) {
            refuseConstant(filter.substring(from - 1 - prefix.length(), at));
        }
        operand = true;
    }

    private void checkNumber(String word) {
        if (!FilterConstants.isValidNumber(word)) {
            refuseConstant(word);
        }
    }

    private void refuseConstant(String text) {
        rules.refuse(StrictRule.FILTER_LITERAL, "Bad Request - Error in query syntax: " + text);
    }

    private void refuseFunction(String word) {
        rules.refuse(
                StrictRule.FILTER_FUNCTION,
                "The requested operation is not implemented on the specified resource: " + word);
        operand = false;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-';
    }
}

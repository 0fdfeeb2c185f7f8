package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.wire.FilterToken;
import java.util.Set;

/** Check of a {@code $filter} in one pass: the number of its comparisons, its constants, and the functions that it must not have. */
final class FilterScan {

    private static final int MAX_COMPARISONS = 15;
    private static final Set<String> COMPARISONS = Set.of("eq", "ne", "gt", "ge", "lt", "le");
    private static final Set<String> ARITHMETIC = Set.of("add", "sub", "mul", "div", "mod");

    private final Rulebook rules;
    private int comparisons;
    private boolean operand;

    private FilterScan(Rulebook rules) {
        this.rules = rules;
    }

    static void check(String filter, Rulebook rules) {
        FilterScan scan = new FilterScan(rules);
        FilterToken.of(filter).forEach(scan::next);
        if (scan.comparisons > MAX_COMPARISONS) {
            rules.refuse(
                    StrictRule.FILTER_COMPARISONS,
                    "No more than " + MAX_COMPARISONS + " comparisons are permitted within a filter: "
                            + scan.comparisons);
        }
    }

    private void next(FilterToken token) {
        switch (token.kind()) {
            case QUOTED -> {
                if (!token.closed() || !FilterConstants.isValid(token.prefix(), token.text())) {
                    refuseConstant(token.prefix() + "'" + token.text());
                }
                operand = true;
            }
            case WORD -> word(token);
            case SIGN -> operand = token.isSign(")");
        }
    }

    private void word(FilterToken token) {
        String word = token.text();
        if (operand) {
            comparisons += COMPARISONS.contains(word) ? 1 : 0;
            if (ARITHMETIC.contains(word)) {
                refuseFunction(word);
            }
            operand = false;
        } else if (token.call() && !word.equals("not")) {
            refuseFunction(word);
        } else if (!word.equals("not")) {
            if (!FilterConstants.isValidNumber(word)) {
                refuseConstant(word);
            }
            operand = true;
        }
    }

    private void refuseConstant(String text) {
        rules.refuse(StrictRule.FILTER_LITERAL, "Bad Request - Error in query syntax: " + text);
    }

    private void refuseFunction(String word) {
        rules.refuse(
                StrictRule.FILTER_FUNCTION,
                "The requested operation is not implemented on the specified resource: " + word);
    }
}

package io.stowline.projection.filter;

import io.stowline.projection.internal.edm.CodePoints;
import java.util.Set;

/** A tokenizer that goes through the words of a filter's text: what stands in quotes is none, {@code ''} in it is a quote. */
final class FilterTokenizer {

    private static final Set<String> OPERATORS = Set.of("eq", "ne", "gt", "ge", "lt", "le");

    private final String text;
    private int position;
    private int depth;
    private int comparisons;

    private FilterTokenizer(String text) {
        this.text = text;
    }

    /**
     * Returns the number of comparisons, at least one; throws {@code IllegalArgumentException} for text that is no
     * filter.
     */
    static int comparisons(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("raw filter: the text is empty; leave the condition out");
        }
        int unpaired = CodePoints.firstUnpaired(text);
        if (unpaired >= 0) {
            throw new IllegalArgumentException("raw filter: " + CodePoints.name(text, unpaired) + " at position "
                    + unpaired + " is a surrogate without its partner");
        }
        return new FilterTokenizer(text).count();
    }

    private int count() {
        while (position < text.length()) {
            step(text.charAt(position));
        }
        if (depth > 0) {
            throw new IllegalArgumentException("raw filter: " + depth + " of its parentheses stay open");
        }
        return Math.max(1, comparisons);
    }

    private void step(char c) {
        if (c == '\'') {
            skipQuoted();
        } else if (isPartOfWord(c)) {
            word();
        } else {
            parenthesis(c);
            position++;
        }
    }

    private void skipQuoted() {
        int end = text.indexOf('\'', position + 1);
        if (end < 0) {
            throw new IllegalArgumentException("raw filter: the quote at position " + position + " is not closed");
        }
        position = end + 1;
    }

    private void word() {
        int start = position;
        while (position < text.length() && isPartOfWord(text.charAt(position))) {
            position++;
        }
        if (OPERATORS.contains(text.substring(start, position))) {
            comparisons++;
        }
    }

    private void parenthesis(char c) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0) {
            throw new IllegalArgumentException("raw filter: the parenthesis at position " + position + " closes none");
        }
    }

    private static boolean isPartOfWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}

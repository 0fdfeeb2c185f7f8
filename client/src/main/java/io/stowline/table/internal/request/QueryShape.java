package io.stowline.table.internal.request;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The shape of a query: its filter with a question mark in place of each value, so that queries of one kind have one shape. */
public final class QueryShape {

    private static final Set<String> COMPARISONS = Set.of("eq", "ne", "gt", "ge", "lt", "le");
    private static final char QUOTE = '\'';

    private final String filter;
    private final StringBuilder shape;
    private int at;

    private QueryShape(String filter) {
        this.filter = filter;
        this.shape = new StringBuilder(filter.length());
    }

    /**
     * Returns the shape of a filter.
     *
     * @param filter the condition in OData, or {@code null} for none
     * @return such as {@code PartitionKey eq ? and age ge ?}; empty without a filter
     */
    public static String of(@Nullable String filter) {
        return filter == null ? "" : new QueryShape(filter).read();
    }

    private String read() {
        boolean compared = false;
        while (at < filter.length()) {
            char c = filter.charAt(at);
            if (c != QUOTE && !inWord(c)) {
                shape.append(c);
                at++;
                continue;
            }
            int begin = at;
            skipWord();
            boolean quoted = skipText();
            String word = filter.substring(begin, at);
            boolean value = quoted || compared || !Character.isJavaIdentifierStart(c);
            shape.append(value ? "?" : word);
            compared = !value && COMPARISONS.contains(word);
        }
        return shape.toString();
    }

    private static boolean inWord(char c) {
        return Character.isJavaIdentifierPart(c) || c == '.' || c == '-' || c == ':' || c == '+';
    }

    private void skipWord() {
        while (at < filter.length() && inWord(filter.charAt(at))) {
            at++;
        }
    }

    /** A quote within a text is doubled, and so begins another text here. */
    private boolean skipText() {
        boolean any = false;
        while (at < filter.length() && filter.charAt(at) == QUOTE) {
            int end = filter.indexOf(QUOTE, at + 1);
            at = end < 0 ? filter.length() : end + 1;
            any = true;
        }
        return any;
    }
}

package io.stowline.table.internal.format;

/**
 * A tracker of the quotes in records with commas (RFC 4180), byte by byte: a quote opens only at the begin of a field, and behind the closing one
 * it is text. {@link CsvText#fields} reads the fields of a record by the same rule. Not thread-safe.
 */
final class QuotedFields {

    /** The place in a field. */
    private enum FieldPlace {
        BEGIN,
        UNQUOTED,
        QUOTED,
        /** Behind a quote, which is the closing one unless a second one follows. */
        BEHIND_QUOTE
    }

    private static final int NONE = -1;

    private FieldPlace place = FieldPlace.BEGIN;
    private long firstEnd = NONE;
    private long lineBehind;

    /** Begins a record. */
    void begin() {
        place = FieldPlace.BEGIN;
        firstEnd = NONE;
    }

    /** Returns whether a quote is open. */
    boolean isOpen() {
        return place == FieldPlace.QUOTED;
    }

    /** Returns whether the open quote has passed the end of a line. */
    boolean goesOverLines() {
        return isOpen() && firstEnd != NONE;
    }

    /** Returns where in the record the first line end behind the open quote is. */
    int firstEnd() {
        return (int) firstEnd;
    }

    /** Returns the number of the line behind that end. */
    long lineBehind() {
        return lineBehind;
    }

    /** Passes a byte that is no line end outside of quotes. */
    void pass(byte c) {
        place = switch (place) {
            case BEGIN -> c == '"' ? opened() : c == ',' ? FieldPlace.BEGIN : FieldPlace.UNQUOTED;
            case UNQUOTED -> c == ',' ? FieldPlace.BEGIN : FieldPlace.UNQUOTED;
            case QUOTED -> c == '"' ? FieldPlace.BEHIND_QUOTE : FieldPlace.QUOTED;
            case BEHIND_QUOTE -> c == '"' ? FieldPlace.QUOTED : c == ',' ? FieldPlace.BEGIN : FieldPlace.UNQUOTED;
        };
    }

    private FieldPlace opened() {
        firstEnd = NONE;
        return FieldPlace.QUOTED;
    }

    /**
     * Notes a line end within quotes.
     *
     * @param position where in the record it is
     * @param line the number of the line that ends
     */
    void lineEnd(long position, long line) {
        if (firstEnd == NONE) {
            firstEnd = position;
            lineBehind = line + 1;
        }
    }
}

package io.stowline.examples.registrations;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import org.apache.commons.csv.CSVException;

/**
 * Ends CSV at a row that is too long, so that an open quotation mark does not make all that follows one row in memory. The rows before it are
 * read, wherever the buffers of a parser begin and end. Not thread-safe.
 */
final class RowLimitReader extends FilterReader {

    /** The most characters of a row, without the end of its line. */
    private static final int LONGEST_ROW = 64 * 1024;

    private Place place = Place.BEFORE_VALUE;
    private int taken;
    private boolean ended;

    RowLimitReader(Reader in) {
        super(in);
    }

    /** Where a character is, for the question whether the end of a line ends the row. */
    private enum Place {
        BEFORE_VALUE,
        IN_VALUE,
        IN_QUOTES,
        AFTER_QUOTE
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        if (ended) {
            throw tooLong();
        }
        int read = super.read(buffer, offset, length);
        for (int i = 0; i < read; i++) {
            take(buffer[offset + i]);
            if (taken > LONGEST_ROW) {
                ended = true;
                if (i == 0) {
                    throw tooLong();
                }
                return i;
            }
        }
        return read;
    }

    private void take(char next) {
        taken++;
        if (place == Place.IN_QUOTES) {
            place = next == '"' ? Place.AFTER_QUOTE : Place.IN_QUOTES;
        } else if (next == '\n' || next == '\r') {
            place = Place.BEFORE_VALUE;
            taken = 0;
        } else if (next == ',') {
            place = Place.BEFORE_VALUE;
        } else if (next == '"' && place != Place.IN_VALUE) {
            place = Place.IN_QUOTES;
        } else {
            place = Place.IN_VALUE;
        }
    }

    private static CSVException tooLong() {
        return new CSVException("a row has at most %,d characters".formatted(LONGEST_ROW));
    }
}

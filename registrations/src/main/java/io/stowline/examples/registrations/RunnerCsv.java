package io.stowline.examples.registrations;

import io.stowline.spring.boot.web.ProblemException;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/** A reader of runners from CSV, one row at a time, with a bound on what a row may take. Not thread-safe. */
final class RunnerCsv {

    static final List<String> COLUMNS = List.of("race", "email", "bib", "name", "age", "country");

    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final char REPLACEMENT = '\uFFFD';
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .setIgnoreEmptyLines(true)
            .setTrim(true)
            .get();

    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private final Charset charset;
    private long line = 1;

    /**
     * Reads the header, and a byte order mark before it.
     *
     * @param body the text
     * @param charset its encoding
     * @throws ProblemException if it does not have the columns
     */
    RunnerCsv(InputStream body, Charset charset) throws IOException {
        this.charset = charset;
        try {
            this.parser = FORMAT.parse(new RowLimitReader(afterMark(new InputStreamReader(body, charset))));
        } catch (CSVException | IllegalArgumentException e) {
            throw ProblemException.invalid("header", "unreadable", String.join(",", COLUMNS));
        }
        if (!parser.getHeaderNames().containsAll(COLUMNS)) {
            throw ProblemException.invalid(
                    "header", String.join(",", parser.getHeaderNames()), String.join(",", COLUMNS));
        }
        this.rows = parser.iterator();
    }

    private static Reader afterMark(Reader text) throws IOException {
        PushbackReader all = new PushbackReader(text);
        int first = all.read();
        if (first >= 0 && first != BYTE_ORDER_MARK) {
            all.unread(first);
        }
        return all;
    }

    /** Returns the line of the row that was read last. */
    long line() {
        return line;
    }

    /**
     * Reads the next row.
     *
     * @return the runner; null at the end
     * @throws RowException if the row is no runner; the next one can be read
     * @throws CSVException if the text is no CSV from here on
     * @throws IOException if the body breaks off
     */
    @Nullable
    Runner next() throws IOException, RowException {
        try {
            if (!rows.hasNext()) {
                return null;
            }
            CSVRecord row = rows.next();
            line = parser.getCurrentLineNumber();
            return runner(row);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Runner runner(CSVRecord row) throws RowException {
        for (String value : row) {
            if (value.indexOf(REPLACEMENT) >= 0) {
                throw new RowException("it has bytes that are no text in " + charset.name()
                        + ", which is the charset of Content-Type or UTF-8");
            }
        }
        if (!row.isConsistent()) {
            throw new RowException(row.size() + " values where the header has "
                    + row.getParser().getHeaderNames().size());
        }
        return new Runner(
                row.get("race"),
                row.get("email"),
                number(row, "bib"),
                row.get("name"),
                number(row, "age"),
                row.get("country"));
    }

    private static int number(CSVRecord row, String column) throws RowException {
        try {
            return Integer.parseInt(row.get(column));
        } catch (NumberFormatException e) {
            throw new RowException(
                    column + " must be a whole number, not '" + InvalidInputAdvice.shown(row.get(column)) + "'");
        }
    }

    /** A row that is no runner. */
    static final class RowException extends Exception {
        private static final long serialVersionUID = 1L;

        RowException(String message) {
            super(message);
        }
    }

    /**
     * A reader that ends CSV at a row that is too long, so that an open quotation mark does not make all that follows one row in memory. The rows before it are
     * read, wherever the buffers of a parser begin and end. Not thread-safe.
     */
    private static final class RowLimitReader extends FilterReader {

        /** The most characters of a row, without the end of its line. */
        private static final int LONGEST_ROW = 64 * 1024;

        private Place place = Place.BEFORE_VALUE;
        private int taken;
        private boolean ended;

        RowLimitReader(Reader in) {
            super(in);
        }

        /** The place of a character, which decides whether the end of a line ends the row. */
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
}

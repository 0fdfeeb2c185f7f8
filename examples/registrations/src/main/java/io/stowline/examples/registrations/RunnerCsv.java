package io.stowline.examples.registrations;

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

/** Reads runners from CSV, one row at a time, with a bound on what a row may take. Not thread-safe. */
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
     * @throws org.springframework.web.ErrorResponseException if it does not have the columns
     */
    RunnerCsv(InputStream body, Charset charset) throws IOException {
        this.charset = charset;
        try {
            this.parser = FORMAT.parse(new RowLimitReader(afterMark(new InputStreamReader(body, charset))));
        } catch (CSVException | IllegalArgumentException e) {
            throw ProblemType.invalid("header", "unreadable", String.join(",", COLUMNS), e);
        }
        if (!parser.getHeaderNames().containsAll(COLUMNS)) {
            throw ProblemType.invalid(
                    "header", String.join(",", parser.getHeaderNames()), String.join(",", COLUMNS), null);
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

    /** The line of the row that was read last. */
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
                    column + " must be a whole number, not '" + ProblemType.shown(row.get(column)) + "'");
        }
    }

    /** A row that is no runner. */
    static final class RowException extends Exception {
        private static final long serialVersionUID = 1L;

        RowException(String message) {
            super(message);
        }
    }
}

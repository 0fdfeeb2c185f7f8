package io.stowline.examples.registrations;

import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    private static final int LONGEST_ROW = 64 * 1024;
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .setIgnoreEmptyLines(true)
            .setTrim(true)
            .get();

    private final RowReader reader;
    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private long line = 1;

    /**
     * Reads the header.
     *
     * @throws org.springframework.web.ErrorResponseException if it does not have the columns
     */
    RunnerCsv(InputStream body) throws IOException {
        this.reader = new RowReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        try {
            this.parser = FORMAT.parse(reader);
        } catch (CSVException | IllegalArgumentException e) {
            throw ProblemType.invalid("header", "unreadable", String.join(",", COLUMNS), e);
        }
        if (!parser.getHeaderNames().containsAll(COLUMNS)) {
            throw ProblemType.invalid(
                    "header", String.join(",", parser.getHeaderNames()), String.join(",", COLUMNS), null);
        }
        this.rows = parser.iterator();
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
        reader.beginRow();
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

    private static Runner runner(CSVRecord row) throws RowException {
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
            throw new RowException(column + " must be a whole number, not '" + row.get(column) + "'");
        }
    }

    /** A row that is no runner. */
    static final class RowException extends Exception {
        private static final long serialVersionUID = 1L;

        RowException(String message) {
            super(message);
        }
    }

    /** An open quotation mark would make all that follows one row, held in memory: this ends it. */
    private static final class RowReader extends FilterReader {
        private int taken;

        RowReader(Reader in) {
            super(in);
        }

        void beginRow() {
            taken = 0;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            return count(read, read < 0 ? 0 : 1);
        }

        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            return count(read, read);
        }

        private int count(int result, int characters) throws CSVException {
            taken += Math.max(0, characters);
            if (taken > LONGEST_ROW) {
                throw new CSVException("a row has at most %,d characters".formatted(LONGEST_ROW));
            }
            return result;
        }
    }
}

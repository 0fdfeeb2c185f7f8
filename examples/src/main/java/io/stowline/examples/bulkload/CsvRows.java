package io.stowline.examples.bulkload;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;
import org.jspecify.annotations.Nullable;

/** The rows of CSV with a header. */
final class CsvRows implements RowSource {

    private final CSVParser parser;
    private final Iterator<CSVRecord> records;
    private final List<String> columns;
    private final InputMeter meter;
    private long number;

    private CsvRows(CSVParser parser, InputMeter meter) {
        this.parser = parser;
        this.records = parser.iterator();
        this.columns = parser.getHeaderNames();
        this.meter = meter;
    }

    static CsvRows open(Reader text, InputMeter meter, char delimiter) throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter)
                .setHeader()
                .setSkipHeaderRecord(true)
                .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
                .get();
        try {
            return new CsvRows(
                    CSVParser.builder().setReader(text).setFormat(format).get(), meter);
        } catch (IllegalArgumentException e) {
            throw new IOException("the header cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable InputRow next() throws IOException {
        meter.rowBegins();
        try {
            return records.hasNext() ? row(records.next()) : null;
        } catch (UncheckedIOException e) {
            throw new IOException("after row " + number + ": " + e.getMessage(), e);
        }
    }

    private InputRow row(CSVRecord row) {
        String text = CSVFormat.DEFAULT.format((Object[]) row.values());
        long ends = parser.getCurrentLineNumber();
        long line = ends - text.chars().filter(c -> c == '\n').count();
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(row.size(), columns.size()); i++) {
            values.put(columns.get(i), row.get(i));
        }
        String problem = row.size() == columns.size()
                ? null
                : row.size() + " values, but the header has " + columns.size() + " columns";
        return new InputRow(++number, line, values, text, problem);
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public boolean typed() {
        return false;
    }

    @Override
    public long bytesRead() {
        return meter.bytesRead();
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}

package io.stowline.examples.load;

import java.io.IOException;
import java.io.Reader;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.DuplicateHeaderMode;
import org.jspecify.annotations.Nullable;

/** The rows of CSV with a header. */
final class CsvRows extends RowSource {

    private final CSVParser parser;
    private final Iterator<CSVRecord> records;

    private CsvRows(InputFile input, InputMeter meter, CSVParser parser) {
        super(input, meter, parser.getHeaderNames());
        this.parser = parser;
        this.records = parser.iterator();
    }

    static CsvRows open(InputFile input, InputMeter meter, Reader text) throws IOException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(input.delimiter())
                .setHeader()
                .setSkipHeaderRecord(true)
                .setDuplicateHeaderMode(DuplicateHeaderMode.DISALLOW)
                .get();
        try {
            return new CsvRows(
                    input,
                    meter,
                    CSVParser.builder().setReader(text).setFormat(format).get());
        } catch (IllegalArgumentException e) {
            throw new IOException("the header cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    @Nullable
    InputRow read(long next) {
        return records.hasNext() ? row(next, records.next()) : null;
    }

    private InputRow row(long number, CSVRecord row) {
        String text = CSVFormat.DEFAULT.format((Object[]) row.values());
        long line = parser.getCurrentLineNumber()
                - text.chars().filter(c -> c == '\n').count();
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(row.size(), columns().size()); i++) {
            values.put(columns().get(i), row.get(i));
        }
        String problem = row.size() == columns().size()
                ? null
                : row.size() + " values, but the header has " + columns().size() + " columns";
        return new InputRow(number, line, values, text, problem);
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}

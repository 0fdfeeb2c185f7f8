package io.stowline.examples.bulkload;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a file with one JSON object in each line; empty lines are passed over. */
final class JsonLines implements RowSource {

    private final BufferedReader text;
    private final InputMeter meter;
    private long line;
    private long number;

    JsonLines(BufferedReader text, InputMeter meter) {
        this.text = text;
        this.meter = meter;
    }

    @Override
    public @Nullable InputRow next() throws IOException {
        String next;
        do {
            meter.rowBegins();
            next = text.readLine();
            line++;
        } while (next != null && next.isBlank());
        return next == null ? null : row(++number, line, next);
    }

    /** Reads the values of a row, or notes why they cannot be read. */
    static InputRow row(long number, long line, String text) {
        try {
            return new InputRow(number, line, JsonFields.parse(text), text, null);
        } catch (IOException e) {
            return new InputRow(number, line, Map.of(), text, e.getMessage());
        }
    }

    @Override
    public List<String> columns() {
        return List.of();
    }

    @Override
    public boolean typed() {
        return true;
    }

    @Override
    public long bytesRead() {
        return meter.bytesRead();
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}

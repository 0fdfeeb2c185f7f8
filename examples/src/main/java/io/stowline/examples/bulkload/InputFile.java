package io.stowline.examples.bulkload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.shared.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows in UTF-8.
 *
 * @param path the file
 * @param format how rows are written in it
 * @param delimiter what stands between the values of CSV
 */
record InputFile(Path path, Format format, char delimiter) {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** How rows are written. */
    enum Format {
        CSV,
        JSON_LINES,
        JSON_ARRAY
    }

    /** Takes the format from a name, or from the end of the file's name. */
    static InputFile of(Path path, @Nullable String format, @Nullable Character delimiter) {
        String name = path.toString().toLowerCase(Locale.ROOT);
        String chosen = format != null ? format : name.substring(name.lastIndexOf('.') + 1);
        Format known =
                switch (chosen) {
                    case "csv", "tsv" -> Format.CSV;
                    case "jsonl", "ndjson" -> Format.JSON_LINES;
                    case "json" -> Format.JSON_ARRAY;
                    default ->
                        throw new UsageException(
                                "--format needs csv, tsv, jsonl or json, for a file whose name does not end so");
                };
        return new InputFile(path, known, delimiter != null ? delimiter : chosen.equals("tsv") ? '\t' : ',');
    }

    long size() throws IOException {
        return Files.size(path);
    }

    /** Begins to read; malformed UTF-8 is an error, as a replaced character would be a loss. */
    RowSource open() throws IOException {
        InputMeter meter = new InputMeter(Files.newInputStream(path));
        try {
            BufferedReader text = new BufferedReader(new InputStreamReader(meter, UTF_8.newDecoder()));
            text.mark(1);
            if (text.read() != BYTE_ORDER_MARK) {
                text.reset();
            }
            return switch (format) {
                case CSV -> CsvRows.open(text, meter, delimiter);
                case JSON_LINES -> new JsonLines(text, meter);
                case JSON_ARRAY -> JsonArrayRows.open(text, meter);
            };
        } catch (IOException | RuntimeException e) {
            meter.close();
            throw e;
        }
    }
}

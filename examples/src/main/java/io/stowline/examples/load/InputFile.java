package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.shared.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A file of rows in UTF-8.
 *
 * @param path the file
 * @param format how rows are written in it
 * @param delimiter the character between the values of CSV
 * @param limit how many rows are read at most
 */
public record InputFile(Path path, Format format, char delimiter, long limit) {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** The formats of rows. */
    public enum Format {
        /** Comma-separated values with a header. */
        CSV,
        /** One JSON object in each line. */
        JSON_LINES,
        /** One JSON array of objects. */
        JSON_ARRAY
    }

    /** Takes the format from a name, or from the end of the file's name. */
    static InputFile of(Path path, @Nullable String format, @Nullable String delimiter, @Nullable Long limit) {
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
        return new InputFile(
                path,
                known,
                delimiter != null ? delimiter.charAt(0) : chosen.equals("tsv") ? '\t' : ',',
                limit != null ? limit : Long.MAX_VALUE);
    }

    long size() throws IOException {
        return Files.size(path);
    }

    /**
     * Opens the file. Malformed UTF-8 is an error, as a replaced character would be a loss.
     *
     * @return the rows; close them
     * @throws IOException if the file cannot be read, or its beginning is not of the format
     */
    public RowSource open() throws IOException {
        if (!Files.isRegularFile(path)) {
            throw new UsageException("--input: " + path + " is no file");
        }
        InputMeter meter = new InputMeter(Files.newInputStream(path));
        try {
            BufferedReader text = new BufferedReader(new InputStreamReader(meter, UTF_8.newDecoder()));
            text.mark(1);
            if (text.read() != BYTE_ORDER_MARK) {
                text.reset();
            }
            return switch (format) {
                case CSV -> CsvRows.open(this, meter, text);
                case JSON_LINES -> JsonRows.ofLines(this, meter, text);
                case JSON_ARRAY -> JsonRows.ofArray(this, meter, text);
            };
        } catch (IOException e) {
            meter.close();
            throw unreadable(0, e);
        }
    }

    /** Describes an error behind so many rows, in one line. */
    IOException unreadable(long rows, IOException e) {
        return e instanceof CharacterCodingException
                ? new IOException(path + " is no text in UTF-8", e)
                : new IOException(path + ", after row " + rows + ": " + firstLine(e), e);
    }

    static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}

package io.stowline.records;

import com.azure.core.util.serializer.ObjectSerializer;
import io.stowline.records.internal.format.FramedCodec;
import io.stowline.records.internal.format.RecordCodec;
import java.util.Objects;
import java.util.function.Function;

/**
 * A format of records in blobs. Its names end with the suffix of the format, and a blob whose end is cut off gives its whole records.
 *
 * <pre>{@code
 * record Visit(Instant at, String page) {
 *     static Visit ofCsv(String line) {
 *         String[] columns = line.split(",", 2);
 *         return new Visit(Instant.parse(columns[0]), columns[1]);
 *     }
 *
 *     String toCsv() {
 *         return at + "," + page;
 *     }
 * }
 *
 * RecordFormat<String> lines = RecordFormat.lines().gzip();
 * RecordFormat<Visit> json = RecordFormat.json(Visit.class);
 * RecordFormat<Visit> commas =
 *         RecordFormat.lines(Visit::toCsv, Visit::ofCsv).withHeader("at,page").withType(".csv", "text/csv");
 * }</pre>
 *
 * <p>Immutable and thread-safe, as far as functions and serializers of the caller are.
 *
 * @param <T> the records' type
 */
public final class RecordFormat<T> {

    private final FramedCodec<T> codec;

    private RecordFormat(FramedCodec<T> codec) {
        this.codec = codec;
    }

    RecordCodec<T> codec() {
        return codec;
    }

    /**
     * Returns the format of text in UTF-8, each record one line with a line feed at its end; {@code .txt}. A text that has a line feed or a
     * carriage return is refused, and so is one that is not Unicode.
     *
     * @return the format
     */
    public static RecordFormat<String> lines() {
        return lines(text -> text, text -> text);
    }

    /**
     * Returns the format of lines that functions write and read; see {@link #lines()}.
     *
     * @param toText writes a record as text of one line
     * @param fromText reads it
     * @param <T> the records' type
     * @return the format
     */
    public static <T> RecordFormat<T> lines(
            Function<? super T, String> toText, Function<? super String, ? extends T> fromText) {
        return new RecordFormat<>(FramedCodec.lines(toText, fromText));
    }

    /**
     * Returns the format of bytes that are text already, such as what an encoder of log events gives; {@code .txt}. A record is one or more
     * lines, such as an event with its stack trace, and stands in one blob as it is; it gets a line feed if it does not end with one. Reading
     * gives each line as a record.
     *
     * @return the format
     */
    public static RecordFormat<byte[]> encodedLines() {
        return new RecordFormat<>(FramedCodec.encodedLines());
    }

    /**
     * Returns the format of JSON lines, by the mapping that {@link io.stowline.queue.MessageCodec#json(Class)} has for records and classes;
     * {@code .jsonl}.
     *
     * @param type the type of the records
     * @param <T> that type
     * @return the format
     * @throws IllegalStateException if Jackson 2 is not on the class path
     */
    public static <T> RecordFormat<T> json(Class<T> type) {
        return new RecordFormat<>(FramedCodec.json(Objects.requireNonNull(type, "type")));
    }

    /**
     * Returns the format of JSON lines by a serializer of the caller; {@code .jsonl}. Its JSON has to be without line feeds.
     *
     * @param type the type of the records
     * @param serializer the serializer, which has to be thread-safe
     * @param <T> that type
     * @return the format
     */
    public static <T> RecordFormat<T> json(Class<T> type, ObjectSerializer serializer) {
        return new RecordFormat<>(FramedCodec.json(
                Objects.requireNonNull(type, "type"), Objects.requireNonNull(serializer, "serializer")));
    }

    /**
     * Returns the format of bytes, each record behind its length as a varint, as Protocol Buffers delimit messages; {@code .bin}.
     *
     * @return the format
     */
    public static RecordFormat<byte[]> delimited() {
        return delimited(bytes -> bytes, bytes -> bytes);
    }

    /**
     * Returns the format of bytes that functions write and read; see {@link #delimited()}.
     *
     * @param toBytes writes a record
     * @param fromBytes reads it
     * @param <T> the records' type
     * @return the format
     */
    public static <T> RecordFormat<T> delimited(
            Function<? super T, byte[]> toBytes, Function<? super byte[], ? extends T> fromBytes) {
        return new RecordFormat<>(FramedCodec.delimited(toBytes, fromBytes));
    }

    /**
     * Returns this format with a line at the begin of each blob, such as the names of columns. Reading passes over it, and refuses a blob
     * that begins with another line.
     *
     * @param line the line, without a line end
     * @return the format
     * @throws IllegalArgumentException if it is empty, longer than 32 KiB or has a line end, or the records are not lines
     */
    public RecordFormat<T> withHeader(String line) {
        return new RecordFormat<>(codec.withHeader(line));
    }

    /**
     * Returns this format with compression: gzip members of whole records, about 1 MiB each before compression, and {@code .gz} behind the
     * suffix.
     *
     * @return the format
     */
    public RecordFormat<T> gzip() {
        return new RecordFormat<>(codec.gzip());
    }

    /**
     * Returns this format with another ending of names and another content type.
     *
     * @param suffix the ending, such as {@code .csv}
     * @param contentType the content type of what is not compressed, such as {@code text/csv}
     * @return the format
     * @throws IllegalArgumentException if one is not allowed
     */
    public RecordFormat<T> withType(String suffix, String contentType) {
        return new RecordFormat<>(codec.withType(
                Objects.requireNonNull(suffix, "suffix"), Objects.requireNonNull(contentType, "contentType")));
    }

    /**
     * Returns the ending of the names of blobs of this format.
     *
     * @return the ending, such as {@code .jsonl.gz}
     */
    public String suffix() {
        return codec.suffix();
    }

    @Override
    public String toString() {
        return "RecordFormat[" + codec + "]";
    }
}

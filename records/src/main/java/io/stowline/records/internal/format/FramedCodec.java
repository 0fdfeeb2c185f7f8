package io.stowline.records.internal.format;

import com.azure.core.util.serializer.ObjectSerializer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A codec that frames what a mapping gives, with a header and compression where they are wanted. Immutable.
 *
 * @param <T> the records' type
 */
public final class FramedCodec<T> implements RecordCodec<T> {

    private static final byte[] NO_HEADER = {};
    private static final Pattern SUFFIX = Pattern.compile("(\\.[A-Za-z0-9_]{1,16}){1,4}");

    private final Framing framing;
    private final RecordMapping<T> mapping;
    private final byte[] header;
    private final String suffix;
    private final String contentType;
    private final boolean gzip;

    private FramedCodec(
            Framing framing, RecordMapping<T> mapping, byte[] header, String suffix, String contentType, boolean gzip) {
        this.framing = framing;
        this.mapping = mapping;
        this.header = header;
        this.suffix = suffix;
        this.contentType = contentType;
        this.gzip = gzip;
    }

    /** Returns a codec of lines of text. */
    public static <T> FramedCodec<T> lines(
            Function<? super T, String> toText, Function<? super String, ? extends T> fromText) {
        Objects.requireNonNull(toText, "toText");
        Objects.requireNonNull(fromText, "fromText");
        return new FramedCodec<>(
                Framing.LINES,
                new TextMapping<>(toText, fromText),
                NO_HEADER,
                ".txt",
                "text/plain; charset=utf-8",
                false);
    }

    /** Returns a codec of bytes that are lines already. */
    public static FramedCodec<byte[]> encodedLines() {
        return new FramedCodec<>(
                Framing.LINES, LinesMapping.INSTANCE, NO_HEADER, ".txt", "text/plain; charset=utf-8", false);
    }

    /**
     * Returns a codec of lines of JSON by the library's mapping.
     *
     * @throws IllegalStateException if Jackson 2 is missing
     */
    public static <T> FramedCodec<T> json(Class<T> type) {
        return json(JsonMapping.of(type));
    }

    /** Returns a codec of lines of JSON by a serializer. */
    public static <T> FramedCodec<T> json(Class<T> type, ObjectSerializer serializer) {
        return json(JsonMapping.of(type, serializer));
    }

    private static <T> FramedCodec<T> json(JsonMapping<T> mapping) {
        return new FramedCodec<>(Framing.LINES, mapping, NO_HEADER, ".jsonl", "application/x-ndjson", false);
    }

    /** Returns a codec of bytes, each record behind its length. */
    public static <T> FramedCodec<T> delimited(
            Function<? super T, byte[]> toBytes, Function<? super byte[], ? extends T> fromBytes) {
        Objects.requireNonNull(toBytes, "toBytes");
        Objects.requireNonNull(fromBytes, "fromBytes");
        return new FramedCodec<>(
                Framing.LENGTHS,
                new BytesMapping<>(toBytes, fromBytes),
                NO_HEADER,
                ".bin",
                "application/octet-stream",
                false);
    }

    /**
     * Returns this codec with a line at the begin of each blob.
     *
     * @throws IllegalArgumentException if it is empty or no line, or the records are not lines
     */
    public FramedCodec<T> withHeader(String line) {
        Objects.requireNonNull(line, "line");
        if (framing != Framing.LINES) {
            throw new IllegalArgumentException(
                    "length-delimited records have no header line: use lines(..) or json(..)");
        }
        if (line.isEmpty()) {
            throw new IllegalArgumentException("the header line is empty: leave withHeader(..) out for none");
        }
        byte[] bytes = framing.frame(TextMapping.line(line, "the header"));
        if (bytes.length > FramedCursor.MAX_HEADER) {
            throw new IllegalArgumentException("the header line has " + bytes.length + " bytes, and may have "
                    + FramedCursor.MAX_HEADER + " with its line end");
        }
        return new FramedCodec<>(framing, mapping, bytes, suffix, contentType, gzip);
    }

    /**
     * Returns this codec with another ending of names and media type.
     *
     * @throws IllegalArgumentException if one is not allowed
     */
    public FramedCodec<T> withType(String ending, String mediaType) {
        if (!SUFFIX.matcher(ending).matches()) {
            throw new IllegalArgumentException("the suffix of blob names is one to four times a dot with 1 to 16"
                    + " letters, digits or underscores, such as .csv, and not '" + ending + "'");
        }
        if (mediaType.isEmpty() || !mediaType.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException(
                    "the content type is printable ASCII, such as text/csv, and not '" + mediaType + "'");
        }
        return new FramedCodec<>(framing, mapping, header, ending, mediaType, gzip);
    }

    /** Returns this codec with compression. */
    public FramedCodec<T> gzip() {
        return new FramedCodec<>(framing, mapping, header, suffix, contentType, true);
    }

    @Override
    public byte[] encode(T record) {
        return framing.frame(mapping.encode(Objects.requireNonNull(record, "record")));
    }

    @Override
    public byte[] seal(byte[] records, boolean first) {
        byte[] head = first ? header : NO_HEADER;
        if (gzip) {
            return GzipMemberEncoder.of(head, records, framing);
        }
        if (head.length == 0) {
            return records;
        }
        byte[] sealed = new byte[head.length + records.length];
        System.arraycopy(head, 0, sealed, 0, head.length);
        System.arraycopy(records, 0, sealed, head.length, records.length);
        return sealed;
    }

    @Override
    public RecordCursor<T> read(InputStream blob, boolean begin) {
        RecordSource source = gzip ? new GzipSource(blob) : new PlainSource(blob);
        return new FramedCursor<>(framing, mapping, source, begin ? header : NO_HEADER);
    }

    @Override
    public String suffix() {
        return gzip ? suffix + ".gz" : suffix;
    }

    @Override
    public String contentType() {
        return gzip ? "application/gzip" : contentType;
    }

    @Override
    public String toString() {
        String text = new String(header, StandardCharsets.UTF_8).strip();
        return suffix() + (text.isEmpty() ? "" : " with the header " + text);
    }
}

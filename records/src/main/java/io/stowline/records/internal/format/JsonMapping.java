package io.stowline.records.internal.format;

import com.azure.core.util.serializer.ObjectSerializer;
import io.stowline.queue.MessageCodec;
import java.io.IOException;
import java.util.Arrays;

/**
 * A mapping to one line of JSON, by the codec that message bodies have.
 *
 * @param codec the codec
 * @param type the type of the records
 * @param <T> that type
 */
record JsonMapping<T>(MessageCodec<T> codec, Class<T> type) implements RecordMapping<T> {

    /**
     * Returns the mapping of the library.
     *
     * @throws IllegalStateException if Jackson 2 is missing
     */
    static <T> JsonMapping<T> of(Class<T> type) {
        return new JsonMapping<>(MessageCodec.json(type), type);
    }

    /** Returns the mapping of a serializer. */
    static <T> JsonMapping<T> of(Class<T> type, ObjectSerializer serializer) {
        return new JsonMapping<>(MessageCodec.json(type, serializer), type);
    }

    @Override
    public byte[] encode(T record) {
        byte[] json;
        try {
            json = codec.encode(record);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the record is not accepted: " + e.getMessage(), e);
        }
        if (ByteScan.indexOf(json, 0, json.length, (byte) '\n') >= 0) {
            throw new IllegalArgumentException("the JSON of a " + type.getName() + " has several lines, and a record"
                    + " of JSON lines is one: set the serializer to write without line ends");
        }
        return json;
    }

    @Override
    public T decode(byte[] bytes, int from, int to) throws IOException {
        try {
            return codec.decode(Arrays.copyOfRange(bytes, from, to));
        } catch (IllegalArgumentException e) {
            throw new IOException("a line of " + (to - from) + " bytes is no record: " + e.getMessage(), e);
        }
    }
}

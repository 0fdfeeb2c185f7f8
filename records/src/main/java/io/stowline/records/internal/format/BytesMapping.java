package io.stowline.records.internal.format;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A mapping to bytes.
 *
 * @param toBytes writes a record
 * @param fromBytes reads it
 * @param <T> the records' type
 */
record BytesMapping<T>(Function<? super T, byte[]> toBytes, Function<? super byte[], ? extends T> fromBytes)
        implements RecordMapping<T> {

    @Override
    public byte[] encode(T record) {
        byte[] bytes = toBytes.apply(record);
        if (bytes == null) {
            throw new IllegalArgumentException("the function of the format gave no bytes for a record of "
                    + record.getClass().getName());
        }
        return bytes;
    }

    @Override
    public T decode(byte[] bytes, int from, int to) throws IOException {
        T record = fromBytes.apply(Arrays.copyOfRange(bytes, from, to));
        if (record == null) {
            throw new IOException("the function of the format gave no record for one of " + (to - from) + " bytes");
        }
        return record;
    }
}

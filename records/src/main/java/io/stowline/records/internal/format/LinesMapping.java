package io.stowline.records.internal.format;

import java.util.Arrays;

/** A mapping of bytes that are one or more lines already: a line end at their end is the one that follows each record. */
final class LinesMapping implements RecordMapping<byte[]> {

    static final LinesMapping INSTANCE = new LinesMapping();

    private LinesMapping() {}

    @Override
    public byte[] encode(byte[] record) {
        int length = record.length;
        return length > 0 && record[length - 1] == '\n' ? Arrays.copyOf(record, length - 1) : record;
    }

    @Override
    public byte[] decode(byte[] bytes, int from, int to) {
        return Arrays.copyOfRange(bytes, from, to);
    }
}

package io.stowline.journal.internal.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A record with its checksum in front, for the store has one for its own bookkeeping only. */
final class ChecksummedRecord {

    private static final int CHECKSUM = Integer.BYTES;

    private ChecksummedRecord() {}

    static byte[] of(long id, byte[] record) {
        return ByteBuffer.allocate(CHECKSUM + record.length)
                .putInt(checksum(id, record, 0))
                .put(record)
                .array();
    }

    /** Returns the record, or null when these are not the bytes that were stored under this id. */
    static byte @Nullable [] read(long id, byte[] framed) {
        boolean intact =
                framed.length >= CHECKSUM && ByteBuffer.wrap(framed).getInt() == checksum(id, framed, CHECKSUM);
        return intact ? Arrays.copyOfRange(framed, CHECKSUM, framed.length) : null;
    }

    /** Returns the length of the record inside, in bytes. */
    static int length(byte[] framed) {
        return Math.max(0, framed.length - CHECKSUM);
    }

    private static int checksum(long id, byte[] bytes, int from) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, id));
        crc.update(bytes, from, bytes.length - from);
        return (int) crc.getValue();
    }
}

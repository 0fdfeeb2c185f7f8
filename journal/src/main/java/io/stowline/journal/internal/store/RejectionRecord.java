package io.stowline.journal.internal.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** How a record that was refused for good stands in the store: when, why, and what it held. */
final class RejectionRecord {

    private static final int MOST_OF_THE_REASON = 4_000;

    private RejectionRecord() {}

    static byte[] of(Instant at, String reason, byte[] record) {
        String shortened =
                reason.length() > MOST_OF_THE_REASON ? reason.substring(0, MOST_OF_THE_REASON) + "…" : reason;
        byte[] why = shortened.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + why.length + record.length)
                .putLong(at.toEpochMilli())
                .putInt(why.length)
                .put(why)
                .put(record)
                .array();
    }

    static RejectedRecord read(long id, byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        Instant at = Instant.ofEpochMilli(all.getLong());
        byte[] why = new byte[all.getInt()];
        all.get(why);
        byte[] record = new byte[all.remaining()];
        all.get(record);
        return new RejectedRecord(id, at, new String(why, StandardCharsets.UTF_8), record);
    }
}

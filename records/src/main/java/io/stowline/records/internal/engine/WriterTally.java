package io.stowline.records.internal.engine;

import io.stowline.records.RecordWriter.RecordProgress;

/**
 * The numbers of one writer: what is accepted, written, failed and buffered, and the room that is left. Guarded by the writer's lock, under
 * which accepted is always the sum of the other three.
 */
final class WriterTally {

    private final long maxRecords;
    private final long maxBytes;

    private long written;
    private long failed;
    private long buffered;
    private long bufferedBytes;
    private long blobs;
    private long sentBytes;
    private long takenRecords;
    private long takenBytes;
    private long undeliveredRecords;
    private long undeliveredBytes;

    /** Makes the numbers of an empty writer. */
    WriterTally(long maxRecords, long maxBytes) {
        this.maxRecords = maxRecords;
        this.maxBytes = maxBytes;
    }

    /**
     * Returns whether a record has room.
     *
     * @param callback whether a running callback writes it: failures whose callbacks have not run do not count then, for they could wait for
     *     each other
     */
    boolean hasRoom(int length, boolean callback) {
        long records = buffered + takenRecords + (callback ? 0 : undeliveredRecords);
        long bytes = bufferedBytes + takenBytes + (callback ? 0 : undeliveredBytes);
        return records < maxRecords && bytes + length <= maxBytes;
    }

    /** Takes room for a record that is written later. */
    void take(int length) {
        takenRecords++;
        takenBytes += length;
    }

    void giveBack(int length) {
        takenRecords--;
        takenBytes -= length;
    }

    void accept(BufferedChunk chunk, int length) {
        chunk.add(length);
        buffered++;
        bufferedBytes += length;
    }

    /** Takes back a record that the disk has refused after it was written. */
    void refuse(BufferedChunk chunk, int length) {
        if (!chunk.isEnded()) {
            chunk.remove(length);
            buffered--;
            bufferedBytes -= length;
        }
    }

    void found(BufferedChunk chunk) {
        buffered += chunk.records();
        bufferedBytes += chunk.bytes();
    }

    /** Counts a chunk that is in its blob; a record that the disk has refused is not in it. */
    void write(BufferedChunk chunk, int records, long bytesSent, boolean newBlob) {
        leave(chunk);
        written += records;
        sentBytes += bytesSent;
        blobs += newBlob ? 1 : 0;
    }

    void fail(BufferedChunk chunk, int records) {
        leave(chunk);
        failed += records;
    }

    private void leave(BufferedChunk chunk) {
        chunk.end();
        buffered -= chunk.records();
        bufferedBytes -= chunk.bytes();
    }

    void undelivered(long records, long bytes) {
        undeliveredRecords += records;
        undeliveredBytes += bytes;
    }

    /** Returns whether room is taken by records that are not written yet, or by failures that are not delivered yet. */
    boolean isRoomOnItsWay() {
        return takenRecords > 0 || undeliveredRecords > 0;
    }

    long written() {
        return written;
    }

    long failed() {
        return failed;
    }

    long buffered() {
        return buffered;
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    RecordProgress progress() {
        return new RecordProgress(
                written + failed + buffered, written, failed, buffered, bufferedBytes, blobs, sentBytes);
    }

    /** Returns the limits and what is used of them, for the message of a refusal. */
    String describe() {
        long records = buffered + takenRecords + undeliveredRecords;
        String limit = maxRecords == Long.MAX_VALUE ? "" : " of " + maxRecords;
        return records + limit + " records and " + (bufferedBytes + takenBytes + undeliveredBytes) + " of " + maxBytes
                + " bytes";
    }
}

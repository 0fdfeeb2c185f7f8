package io.stowline.records.internal.read;

import io.stowline.blob.BlobDownload;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.records.RecordReadException;
import io.stowline.records.RecordStream.ReadBlob;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.records.internal.format.RecordCodec.RecordCursor;
import io.stowline.records.internal.read.ReadVector.SessionPlace;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The records of the blobs that a session has in one interval, one after the other. It knows two places: that before the present record and
 * that behind it. Used by one thread; closing comes from any.
 */
final class SessionRun<T> implements AutoCloseable {

    private final RecordCodec<T> codec;
    private final AheadBlobs ahead;
    private final boolean skipMissing;
    private final Consumer<? super ReadBlob> readBlobs;
    private final Deque<RecordBlob> later;
    private RecordBlob blob;
    private volatile @Nullable BlobDownload download;
    private volatile @Nullable RecordCursor<T> cursor;
    private @Nullable T record;
    private Instant time = Instant.MIN;
    private boolean begun;
    private long base;
    private long records;
    private long offset;
    private long passed;
    private volatile boolean closed;

    /**
     * A run.
     *
     * @param blobs its blobs in the order of their sequence, at least one
     * @param from the place at which it begins if that is in the first blob
     */
    SessionRun(
            RecordCodec<T> codec,
            AheadBlobs ahead,
            boolean skipMissing,
            Consumer<? super ReadBlob> readBlobs,
            List<RecordBlob> blobs,
            @Nullable SessionPlace from) {
        this.codec = codec;
        this.ahead = ahead;
        this.skipMissing = skipMissing;
        this.readBlobs = readBlobs;
        this.later = new ArrayDeque<>(blobs);
        this.blob = later.getFirst();
        if (from != null && from.sequence() == blob.chunk().sequence()) {
            offset = from.offset();
            passed = from.passed();
        }
    }

    /**
     * Moves to the next record, in the next blob if need be.
     *
     * @return false at the end of the last blob
     * @throws RecordReadException if a blob cannot be read; the places are those from before then
     */
    boolean next() {
        while (true) {
            RecordCursor<T> present = cursor;
            if (present == null) {
                if (later.isEmpty()) {
                    return false;
                }
                open(later.getFirst());
            } else if (nextIn(present)) {
                return true;
            }
        }
    }

    private boolean nextIn(RecordCursor<T> present) {
        offset = base + present.resumeOffset();
        passed = present.recordsSince();
        try {
            if (present.next()) {
                record = present.record();
                records++;
                return true;
            }
        } catch (IOException e) {
            throw failed("it is not of the format, or is damaged: " + e.getMessage(), e);
        } catch (NotFoundException | PreconditionFailedException e) {
            if (!skipMissing) {
                throw failed("it was deleted or replaced while it was read; skipMissing() passes over such blobs", e);
            }
            end(new ReadBlob(blob.name(), blob.size(), records, 0, true));
            return false;
        }
        end(new ReadBlob(blob.name(), base + length(), records, present.cutOff(), false));
        return false;
    }

    private long length() {
        BlobDownload present = download;
        return present == null ? 0 : present.length();
    }

    /** Leaves a blob behind: one that may grow at the end of its last whole record. */
    private void end(ReadBlob read) {
        RecordCursor<T> present = cursor;
        if (present != null && blob.grows() && !read.missing()) {
            offset = base + present.resumeOffset();
            passed = present.recordsSince();
        } else {
            offset = Math.max(read.size(), blob.size());
            passed = 0;
        }
        record = null;
        later.poll();
        closeBlob();
        readBlobs.accept(read);
    }

    private void open(RecordBlob next) {
        if (begun) {
            offset = 0;
            passed = 0;
        }
        begun = true;
        blob = next;
        base = offset;
        records = 0;
        BlobDownload opened;
        try {
            opened = ahead.open(next, base);
        } catch (NotFoundException e) {
            if (!skipMissing) {
                throw failed(
                        "it was listed and is missing now, since it was deleted in between; skipMissing() passes over"
                                + " such blobs",
                        e);
            }
            end(new ReadBlob(next.name(), next.size(), 0, 0, true));
            return;
        }
        download = opened;
        RecordCursor<T> first = codec.read(opened.stream(), base == 0);
        cursor = first;
        if (closed) {
            closeBlob();
            throw new IllegalStateException("the stream is closed");
        }
        pass(first, passed);
    }

    private void pass(RecordCursor<T> begun, long count) {
        try {
            for (long i = 0; i < count; i++) {
                if (!begun.next()) {
                    throw failed("it has fewer records than the position says: it was replaced", null);
                }
            }
        } catch (IOException e) {
            throw failed("it is not of the format, or is damaged: " + e.getMessage(), e);
        }
    }

    private RecordReadException failed(String reason, @Nullable Exception cause) {
        return new RecordReadException(blob.name(), reason, cause);
    }

    /** Returns the present record. */
    T record() {
        T present = record;
        if (present == null) {
            throw new IllegalStateException("there is no record");
        }
        return present;
    }

    /** Sets the time of the present record, by which runs are merged. */
    void time(Instant ofRecord) {
        this.time = ofRecord;
    }

    Instant time() {
        return time;
    }

    /** Returns the place before the present record, or that at the end. */
    SessionPlace before() {
        return new SessionPlace(blob.chunk().interval(), blob.chunk().sequence(), offset, passed);
    }

    /** Returns the place behind the present record. */
    SessionPlace behind() {
        RecordCursor<T> present = cursor;
        return present == null
                ? before()
                : new SessionPlace(
                        blob.chunk().interval(),
                        blob.chunk().sequence(),
                        base + present.resumeOffset(),
                        present.recordsSince());
    }

    String session() {
        return blob.chunk().session();
    }

    private void closeBlob() {
        free();
        cursor = null;
        download = null;
    }

    private void free() {
        RecordCursor<T> present = cursor;
        BlobDownload content = download;
        try {
            if (present != null) {
                present.close();
            }
        } catch (IOException e) {
            throw failed("its stream cannot be closed", e);
        } finally {
            if (content != null) {
                content.close();
            }
        }
    }

    /** Ends the download; the places stay as they are. */
    @Override
    public void close() {
        closed = true;
        free();
    }
}

package io.stowline.journal.internal.spool;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A reading of one file from its begin to its end. It takes each intact frame, also behind damaged ones, and never one that is not: a
 * record in front of the first seal, the last of the seals.
 */
final class SpoolScan {

    /** The use of a record that was read. */
    @FunctionalInterface
    interface RecordSink {

        void accept(FrameReader reader, FrameReader.SpoolFrame record) throws IOException;
    }

    /** The use of records that are only counted. */
    static final RecordSink COUNT = (reader, record) -> {};

    private final FrameReader reader;
    private byte @Nullable [] head;
    private byte @Nullable [] seal;
    private int records;
    private long bytes;
    private long damagedAt = -1;
    private long damagedBytes;
    private long end;

    private SpoolScan(FrameReader reader) {
        this.reader = reader;
    }

    static SpoolScan of(FrameReader reader, RecordSink sink) throws IOException {
        SpoolScan scan = new SpoolScan(reader);
        FrameReader.SpoolFrame first = reader.at(FrameFormat.PROLOGUE);
        if (first != null && first.kind() == FrameFormat.HEAD) {
            scan.head = reader.payload(first);
            scan.run(first.end(), sink);
        } else if (scan.next(FrameFormat.PROLOGUE + 1) != null || !reader.isCutOff(FrameFormat.PROLOGUE)) {
            scan.damaged(FrameFormat.PROLOGUE, reader.size() - FrameFormat.PROLOGUE);
        }
        return scan;
    }

    private void run(long from, RecordSink sink) throws IOException {
        end = from;
        for (long at = from; at < reader.size(); ) {
            FrameReader.SpoolFrame frame = reader.at(at);
            if (frame == null) {
                frame = next(at + 1);
                if (frame == null) {
                    endAt(at);
                    return;
                }
                damaged(at, frame.position() - at);
            }
            take(frame, sink);
            at = frame.end();
            end = at;
        }
    }

    private FrameReader.@Nullable SpoolFrame next(long from) throws IOException {
        FrameReader.SpoolFrame frame = null;
        for (long at = from; frame == null && at + FrameFormat.OVERHEAD <= reader.size(); at++) {
            frame = reader.at(at);
        }
        return frame;
    }

    /** A write that did not end leaves a frame that is cut off, or zeros; anything else at the end is damage, and stays. */
    private void endAt(long at) throws IOException {
        if (!reader.isCutOff(at) && !reader.isZero(at)) {
            damaged(at, reader.size() - at);
            end = reader.size();
        }
    }

    private void damaged(long at, long length) {
        damagedAt = damagedAt < 0 ? at : damagedAt;
        damagedBytes += length;
    }

    private void take(FrameReader.SpoolFrame frame, RecordSink sink) throws IOException {
        if (frame.kind() == FrameFormat.SEAL) {
            seal = reader.payload(frame);
        } else if (frame.kind() == FrameFormat.RECORD && seal == null) {
            sink.accept(reader, frame);
            records++;
            bytes += frame.length();
        }
    }

    /** Returns the head; null if it is damaged or was never finished, so that nothing can be read. */
    byte @Nullable [] head() {
        return head;
    }

    byte @Nullable [] seal() {
        return seal;
    }

    int records() {
        return records;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the position of the first damaged byte; -1 if there is none. */
    long damagedAt() {
        return damagedAt;
    }

    long damagedBytes() {
        return damagedBytes;
    }

    /** Returns the end of what was written whole, behind which further frames belong. */
    long end() {
        return end;
    }
}

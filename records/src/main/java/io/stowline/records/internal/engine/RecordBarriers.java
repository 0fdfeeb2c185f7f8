package io.stowline.records.internal.engine;

import io.stowline.table.FlushReport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The callers that wait until all chunks up to one have their end. A report has the records that have ended since the last report that was
 * there when its flush began. Guarded by the writer's lock.
 */
final class RecordBarriers {

    private record Barrier(long upTo, long written, long failed, boolean flush, CompletableFuture<FlushReport> end) {}

    private final WriterLock lock;
    private final WriterTally tally;
    private final ChunkDelivery delivery;
    private final Deque<Barrier> waiting = new ArrayDeque<>();
    private long reportedWritten;
    private long reportedFailed;
    private @Nullable RuntimeException broken;

    RecordBarriers(WriterLock lock, WriterTally tally, ChunkDelivery delivery) {
        this.lock = lock;
        this.tally = tally;
        this.delivery = delivery;
    }

    /** Returns the end of all chunks that were added so far. */
    CompletableFuture<FlushReport> add() {
        CompletableFuture<FlushReport> end = new CompletableFuture<>();
        waiting.add(new Barrier(delivery.added(), reportedWritten, reportedFailed, true, end));
        chunkEnded();
        return end;
    }

    /** Returns the end of the chunks that earlier processes have left; called before any other chunk is added, and before any end. */
    CompletableFuture<FlushReport> replay() {
        CompletableFuture<FlushReport> end = new CompletableFuture<>();
        waiting.add(new Barrier(delivery.added(), 0, 0, false, end));
        chunkEnded();
        return end;
    }

    /** Ends the waits that are over, in the order of their chunks. */
    void chunkEnded() {
        long ended = delivery.ended();
        for (Barrier first = waiting.peek(); first != null && first.upTo() <= ended; first = waiting.peek()) {
            waiting.remove();
            FlushReport report = new FlushReport(tally.written() - first.written(), tally.failed() - first.failed());
            if (first.flush()) {
                reportedWritten = tally.written();
                reportedFailed = tally.failed();
            }
            CompletableFuture<FlushReport> end = first.end();
            lock.afterwards(() -> end.complete(report));
        }
        fail();
    }

    /** Ends all waits with an error, and every later one whose chunks have no end. */
    void breakAll(RuntimeException error) {
        broken = error;
        fail();
    }

    private void fail() {
        RuntimeException error = broken;
        if (error != null) {
            for (Barrier each : waiting) {
                lock.afterwards(() -> each.end().completeExceptionally(error));
            }
            waiting.clear();
        }
    }
}

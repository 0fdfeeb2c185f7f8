package io.stowline.table.simulation;

import io.stowline.table.FlushReport;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.WriterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** One writer with its operations. */
final class Writer {

    /** The excess of a close over its time. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    final int number;
    final TableWriter<SimulatedItem> face;
    final WriterSettings settings;

    /** True if it only takes operations that it has room for, so that each is accepted at its handover. */
    final boolean offersOnly;

    boolean closing;
    private final Play play;
    private final List<SimulatedOperation> ops = new ArrayList<>();
    private List<SimulatedOperation> sinceFlush = new ArrayList<>();
    private @Nullable Flush lastFlush;
    private final List<Flush> flushes = new ArrayList<>();
    private boolean closed;
    private long closedBy = Long.MAX_VALUE;
    private @Nullable Throwable end;

    Writer(Play play, int number, TableWriter<SimulatedItem> face, WriterSettings settings, boolean offersOnly) {
        this.play = play;
        this.number = number;
        this.face = face;
        this.settings = settings;
        this.offersOnly = offersOnly;
    }

    private static final class Flush {
        List<SimulatedOperation> waitsFor = List.of();
        boolean done;
    }

    void accepted(SimulatedOperation op) {
        ops.add(op);
        sinceFlush.add(op);
    }

    void flush() {
        Flush before = lastFlush;
        Flush flush = new Flush();
        List<SimulatedOperation> waitsFor = new ArrayList<>();
        if (before != null && !before.done) {
            waitsFor.addAll(before.waitsFor);
        }
        waitsFor.addAll(sinceFlush);
        flush.waitsFor = waitsFor;
        sinceFlush = new ArrayList<>();
        lastFlush = flush;
        flushes.add(flush);
        Disposable unused = face.reactive()
                .flush()
                .subscribe(
                        report -> flushed(flush, report),
                        error -> play.trace.violate("BATCH-8: a flush of " + this + " failed with " + error));
    }

    private void flushed(Flush flush, FlushReport report) {
        play.trace.note("flushed " + this + " " + report);
        play.trace.expect(!flush.done, () -> "BATCH-8: a flush of " + this + " ended twice");
        flush.done = true;
        if (!offersOnly || play.scenario.lateCallbacks()) {
            return;
        }
        flush.waitsFor.forEach(op -> play.trace.expect(
                op.submission == null || op.submission.isDone(), () -> "BATCH-8: a flush was over before " + op));
        long sent = flush.waitsFor.stream().filter(op -> op.neverFrom < 0).count();
        play.trace.expect(
                report.completed() + report.failed() == sent,
                () -> "BATCH-8: " + report + " of " + this + " for " + sent + " operations");
        long failed = flush.waitsFor.stream().filter(Writer::failed).count();
        long unseen = flush.waitsFor.stream().filter(Writer::unseen).count();
        play.trace.expect(
                report.failed() >= failed && report.failed() <= failed + unseen,
                () -> "BATCH-8: " + report + " of " + this + ", where " + failed + " failed and " + unseen
                        + " were not looked at");
    }

    private static boolean failed(SimulatedOperation op) {
        return op.error != null && op.neverFrom < 0 && !(op.error instanceof CancellationException);
    }

    private static boolean unseen(SimulatedOperation op) {
        return op.neverFrom < 0 && (op.results == 0 || op.error instanceof CancellationException);
    }

    void close() {
        closing = true;
        closedBy = play.service.now() + settings.closeTimeout().plus(SLACK).toNanos();
        Disposable unused = face.reactive().close().subscribe(nothing -> {}, this::closed, () -> closed(null));
    }

    private void closed(@Nullable Throwable error) {
        play.trace.note("closed " + this + (error == null ? "" : " " + error.getMessage()));
        play.trace.expect(!closed, () -> "BATCH-9: the close of " + this + " ended twice");
        play.trace.expect(play.service.now() <= closedBy, () -> "BATCH-9: the close of " + this + " took too long");
        closed = true;
        end = error;
    }

    void checkBounds() {
        play.trace.expect(
                face.bufferedItems() <= settings.bufferItems() && face.bufferedBytes() <= settings.bufferBytes(),
                () -> "BATCH-7: the buffer of " + this + " holds " + face.bufferedItems() + " items, "
                        + face.bufferedBytes() + " bytes");
    }

    /** A refusal for want of room is legal only when all that may still be held does not leave any. */
    void checkRefusal(SimulatedOperation op) {
        RefusalCheck.of(play.trace, settings.bufferItems(), op, ops, play.scenario.large() > 0, play.service.now());
    }

    /** Checks that nothing is reserved after all has ended. */
    void checkIdle() {
        long open = ops.stream()
                .filter(op -> op.results == 0 && !op.refused && !op.detached && !op.untaken)
                .count();
        play.trace.expect(open == 0, () -> "BATCH-1: " + open + " operations of " + this + " come to no end");
        play.trace.expect(
                face.bufferedItems() == 0 && face.bufferedBytes() == 0 && face.undeliveredItems() == 0,
                () -> "BATCH-7: " + this + " is idle and holds " + face.bufferedItems() + " items, "
                        + face.bufferedBytes() + " bytes, " + face.undeliveredItems() + " results");
    }

    /** Checks at the end that nothing hangs and nothing is reserved. */
    void checkOver() {
        play.trace.expect(closed, () -> "BATCH-9: the close of " + this + " hangs");
        flushes.forEach(flush -> play.trace.expect(flush.done, () -> "BATCH-8: a flush of " + this + " hangs"));
        play.trace.expect(
                face.bufferedItems() == 0 && face.bufferedBytes() == 0,
                () -> "BATCH-7: " + this + " still holds " + face.bufferedItems() + " items, " + face.bufferedBytes()
                        + " bytes");
        play.trace.expect(
                face.undeliveredItems() == 0,
                () -> "BATCH-7: " + this + " still holds " + face.undeliveredItems() + " results");
        for (SimulatedOperation op : ops) {
            if (op.untaken && op.submission != null) {
                op.submission.whenComplete((written, error) -> op.ended(written, error, play.service.now()));
            }
        }
    }

    /** A close tells of the failures that no caller has taken. */
    void checkUncollected() {
        long failed = ops.stream().filter(op -> op.untaken && op.error != null).count();
        long reported = end instanceof UncollectedFailuresException failures ? failures.count() : 0;
        play.trace.expect(
                end == null || end instanceof UncollectedFailuresException,
                () -> "BATCH-9: the close of " + this + " ended with " + end);
        play.trace.expect(
                reported == failed,
                () -> "BATCH-9: " + this + " tells of " + reported + " failures, where there were " + failed);
    }

    @Override
    public String toString() {
        return "writer " + number;
    }
}

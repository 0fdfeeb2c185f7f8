package io.stowline.records.internal.engine;

import io.stowline.records.internal.engine.RecordIntake.ReactiveWaiter;
import io.stowline.records.internal.engine.RecordIntake.Written;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The disk's work for callers that must not block: their records are written in their order, and share the waits for the disk. */
final class SharedCommit {

    private static final int MAX_BATCH = 1024;

    private record Pending(ReactiveWaiter waiter, Written written) {}

    private final WriterLock lock;
    private final RecordIntake intake;
    private final Executor signals;
    private final Executor disk;
    private final Deque<ReactiveWaiter> admitted = new ArrayDeque<>();
    private boolean running;

    SharedCommit(WriterLock lock, RecordIntake intake, Executor signals, Executor disk) {
        this.lock = lock;
        this.intake = intake;
        this.signals = signals;
        this.disk = disk;
    }

    /** Takes a record whose room is taken; called under the lock. */
    void add(ReactiveWaiter waiter) {
        admitted.add(waiter);
        if (!running) {
            running = true;
            lock.afterwards(() -> disk.execute(this::run));
        }
    }

    private void run() {
        List<Pending> batch = writeBatch();
        while (!batch.isEmpty()) {
            commit(batch);
            batch = writeBatch();
        }
    }

    /** Forces the last record first: its mark includes those before it. */
    private void commit(List<Pending> batch) {
        Runnable[] ends = new Runnable[batch.size()];
        for (int i = ends.length - 1; i >= 0; i--) {
            ends[i] = force(batch.get(i));
        }
        for (Runnable end : ends) {
            signals.execute(end);
        }
    }

    private Runnable force(Pending pending) {
        Written written = pending.written();
        try {
            intake.force(written.chunk(), written.mark(), written.length());
            return pending.waiter()::succeed;
        } catch (RuntimeException | Error e) {
            return () -> pending.waiter().fail(e);
        }
    }

    private List<Pending> writeBatch() {
        List<Pending> batch = new ArrayList<>();
        for (ReactiveWaiter next = poll(batch); next != null; next = poll(batch)) {
            if (batch.size() == MAX_BATCH) {
                return batch;
            }
        }
        return batch;
    }

    /** Writes the next record; returns null when there is none. */
    private @Nullable ReactiveWaiter poll(List<Pending> batch) {
        lock.enter();
        try {
            ReactiveWaiter next = admitted.poll();
            if (next == null) {
                running = !batch.isEmpty();
            } else {
                write(next, batch);
            }
            return next;
        } finally {
            lock.leave();
        }
    }

    private void write(ReactiveWaiter next, List<Pending> batch) {
        try {
            batch.add(new Pending(next, intake.writeTaken(next.record())));
        } catch (RuntimeException | Error e) {
            lock.afterwards(() -> signals.execute(() -> next.fail(e)));
        }
    }
}

package io.stowline.records.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of one writer. Work that must not run under it, such as a signal to the application, runs when its thread leaves the lock. */
final class WriterLock {

    private static final Logger LOG = LoggerFactory.getLogger(WriterLock.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Runnable> later = new ArrayList<>();

    void enter() {
        lock.lock();
    }

    void leave() {
        if (later.isEmpty() || lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        List<Runnable> work = List.copyOf(later);
        later.clear();
        lock.unlock();
        for (Runnable each : work) {
            try {
                each.run();
            } catch (RuntimeException e) {
                LOG.error("a step of a writer of records has failed", e);
            }
        }
    }

    /** Runs work once this thread has left the lock; called under the lock. */
    void afterwards(Runnable work) {
        later.add(work);
    }
}

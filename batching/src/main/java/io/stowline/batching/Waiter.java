package io.stowline.batching;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A blocked submit; without a thread it stands for one that is told by its result. */
final class Waiter {

    private final @Nullable Thread thread;
    private final boolean callback;
    private volatile boolean over;
    private volatile @Nullable Throwable refusal;

    private Waiter(@Nullable Thread thread, boolean callback) {
        this.thread = thread;
        this.callback = callback;
    }

    /** The current thread, which may run a callback. */
    static Waiter blocked() {
        return new Waiter(Thread.currentThread(), Callbacks.calling());
    }

    /** A submit that waits without a thread. */
    static Waiter reactive() {
        return new Waiter(null, false);
    }

    /** Whether it keeps a thread of the callbacks from running others. */
    boolean isCallback() {
        return callback;
    }

    boolean isOver() {
        return over;
    }

    @Nullable
    Throwable refusal() {
        return refusal;
    }

    void end(@Nullable Throwable refusal) {
        this.refusal = refusal;
        this.over = true;
    }

    void wake() {
        LockSupport.unpark(thread);
    }
}

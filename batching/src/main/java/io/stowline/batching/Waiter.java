package io.stowline.batching;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A blocked submit; without a thread it stands for one that is told by its result. */
final class Waiter {

    private final @Nullable Thread thread;
    private volatile boolean over;
    private volatile @Nullable Throwable refusal;

    Waiter(@Nullable Thread thread) {
        this.thread = thread;
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

package io.stowline.retry;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A scheduler on which nothing ever falls due; safe for use by many threads. */
public final class NoTimer implements Scheduler {

    @Override
    public Disposable schedule(Runnable task) {
        return Disposables.single();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return Disposables.single();
    }

    @Override
    public Worker createWorker() {
        throw new UnsupportedOperationException("no workers");
    }
}

package io.stowline.retry.internal.engine;

import io.stowline.retry.internal.engine.RetryPlan.RetryDecision;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * The wait before a retry: for its tokens, and for its delay, which runs at the same time. Disposing of it before the
 * retry starts gives the tokens back.
 */
final class RetryPause implements Disposable {

    private final RetryRun<?> run;
    private final RetryDecision.Again again;
    private final Scheduler clock;
    private final Disposable.Swap timer = Disposables.swap();
    private final long due;

    RetryPause(RetryRun<?> run, RetryDecision.Again again, Scheduler clock) {
        this.run = run;
        this.again = again;
        this.clock = clock;
        this.due = clock.now(TimeUnit.NANOSECONDS) + again.pause().toNanos();
    }

    void start() {
        try {
            if (again.claim().isReserved()) {
                delay();
            } else {
                // Before it joins the line, as it may be granted at once and the delay takes the timer's place.
                timer.update(clock.schedule(this::expire, again.patience().toNanos(), TimeUnit.NANOSECONDS));
                again.claim().enter(Long.MAX_VALUE, this::granted);
            }
        } catch (RejectedExecutionException refused) {
            run.refused(refused);
        }
    }

    private void granted() {
        try {
            delay();
        } catch (RejectedExecutionException refused) {
            run.refused(refused);
        }
    }

    private void delay() {
        long left = due - clock.now(TimeUnit.NANOSECONDS);
        if (left > 0) {
            timer.update(clock.schedule(run::drive, left, TimeUnit.NANOSECONDS));
        } else {
            timer.update(null);
            run.drive();
        }
    }

    private void expire() {
        if (again.claim().withdraw()) {
            run.outOfTokens();
        }
    }

    @Override
    public void dispose() {
        timer.dispose();
        again.claim().giveBack();
    }

    @Override
    public boolean isDisposed() {
        return timer.isDisposed();
    }
}

package io.stowline.retry.internal.engine;

import io.stowline.retry.internal.timeout.Upstream;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.util.context.Context;

/**
 * A subscriber that receives the signals of one attempt and reports its end to the run, once. A late signal of an attempt that has ended
 * cannot reach the next one. Whatever the source emits is either reported or discarded.
 */
final class AttemptRun<T> implements CoreSubscriber<T>, Disposable {

    private static final Logger LOG = LoggerFactory.getLogger(RetryEngine.class);

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<AttemptRun, Object> RESULT =
            AtomicReferenceFieldUpdater.newUpdater(AttemptRun.class, Object.class, "result");

    private final RetryRun<T> run;
    private final int number;
    private final Upstream upstream = new Upstream();

    @SuppressWarnings("unused") // by its updater
    private volatile @Nullable T result;

    private boolean ended;

    AttemptRun(RetryRun<T> run, int number) {
        this.run = run;
        this.number = number;
    }

    @Override
    public Context currentContext() {
        return run.currentContext();
    }

    @Override
    public void onSubscribe(Subscription s) {
        upstream.start(s);
    }

    @Override
    public void onNext(T value) {
        if (ended || isDisposed()) {
            run.discard(value);
            return;
        }
        discard(replace(value));
        // A cancel between the check above and the store has found nothing to discard.
        if (isDisposed()) {
            discard(replace(null));
        }
    }

    @Override
    public void onError(Throwable error) {
        if (ended || isDisposed()) {
            LOG.debug("attempt {} failed after it had ended", number, error);
            return;
        }
        ended = true;
        discard(replace(null));
        run.ended(null, error);
    }

    @Override
    public void onComplete() {
        if (ended || isDisposed()) {
            return;
        }
        ended = true;
        T value = replace(null);
        if (value == null && !isDisposed()) {
            run.ended(null, new NoSuchElementException("attempt " + number + " completed without a result"));
        } else if (value != null) {
            run.ended(value, null);
        }
    }

    @Override
    public void dispose() {
        upstream.cancel();
        discard(replace(null));
    }

    @Override
    public boolean isDisposed() {
        return upstream.isCancelled();
    }

    @SuppressWarnings("unchecked") // only a T is stored
    private @Nullable T replace(@Nullable T next) {
        return (T) RESULT.getAndSet(this, next);
    }

    private void discard(@Nullable T value) {
        if (value != null) {
            run.discard(value);
        }
    }
}

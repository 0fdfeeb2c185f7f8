package io.stowline.retry;

import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.util.context.Context;

/**
 * Receives the signals of one attempt and reports its end to the run, once. A late signal of an attempt that has ended
 * cannot reach the next one. Whatever the source emits is either reported or discarded.
 */
final class AttemptRun<T> implements CoreSubscriber<T>, Disposable {

    private static final Logger LOG = LoggerFactory.getLogger(RetryEngine.class);

    private final RetryRun<T> run;
    private final int number;
    private final AtomicReference<@Nullable T> result = new AtomicReference<>();
    private final Upstream upstream = new Upstream();
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
        discard(result.getAndSet(value));
        // A cancel between the check above and the store has found nothing to discard.
        if (isDisposed()) {
            discard(result.getAndSet(null));
        }
    }

    @Override
    public void onError(Throwable error) {
        if (ended || isDisposed()) {
            LOG.debug("attempt {} failed after it had ended", number, error);
            return;
        }
        ended = true;
        discard(result.getAndSet(null));
        run.ended(null, error);
    }

    @Override
    public void onComplete() {
        if (ended || isDisposed()) {
            return;
        }
        ended = true;
        T value = result.getAndSet(null);
        if (value == null && !isDisposed()) {
            run.ended(null, new NoSuchElementException("attempt " + number + " completed without a result"));
        } else if (value != null) {
            run.ended(value, null);
        }
    }

    @Override
    public void dispose() {
        upstream.cancel();
        discard(result.getAndSet(null));
    }

    @Override
    public boolean isDisposed() {
        return upstream.isCancelled();
    }

    private void discard(@Nullable T value) {
        if (value != null) {
            run.discard(value);
        }
    }
}

package io.stowline.transport.internal.http;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * A subscriber that stands between a source and its subscriber, and hands on what it does not change.
 *
 * @param <I> the source's elements
 * @param <O> the subscriber's elements
 */
public abstract class RelaySubscriber<I, O> implements CoreSubscriber<I>, Subscription {

    protected final CoreSubscriber<? super O> actual;
    private @Nullable Subscription upstream;

    /** Stands before a subscriber. */
    protected RelaySubscriber(CoreSubscriber<? super O> actual) {
        this.actual = actual;
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }

    @Override
    public final void onSubscribe(Subscription subscription) {
        upstream = subscription;
        actual.onSubscribe(this);
    }

    @Override
    public void request(long n) {
        upstream().request(n);
    }

    @Override
    public void cancel() {
        upstream().cancel();
    }

    @Override
    public void onError(Throwable error) {
        actual.onError(error);
    }

    @Override
    public void onComplete() {
        actual.onComplete();
    }

    /** Returns the source, once it has been subscribed to. */
    protected final Subscription upstream() {
        return Objects.requireNonNull(upstream, "subscribed to");
    }
}

package io.stowline.retry.internal.engine;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** A source whose signals are sent by the test, also after it was cancelled. */
public final class Probe<T> extends Mono<T> implements Subscription {

    private CoreSubscriber<? super T> subscriber;
    private boolean cancelled;
    private boolean requested;

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        subscriber = actual;
        actual.onSubscribe(this);
    }

    public boolean subscribed() {
        return subscriber != null;
    }

    public boolean cancelled() {
        return cancelled;
    }

    public boolean requested() {
        return requested;
    }

    public Context context() {
        return subscriber.currentContext();
    }

    public void emit(T value) {
        next(value);
        complete();
    }

    public void next(T value) {
        subscriber.onNext(value);
    }

    public void complete() {
        subscriber.onComplete();
    }

    public void fail(Throwable error) {
        subscriber.onError(error);
    }

    @Override
    public void request(long n) {
        requested = true;
    }

    @Override
    public void cancel() {
        cancelled = true;
    }
}

package io.stowline.retry;

import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** A source whose signals are sent by the test, also after it was cancelled. */
final class Probe<T> extends Mono<T> implements Subscription {

    private CoreSubscriber<? super T> subscriber;
    private boolean cancelled;
    private boolean requested;

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        subscriber = actual;
        actual.onSubscribe(this);
    }

    boolean subscribed() {
        return subscriber != null;
    }

    boolean cancelled() {
        return cancelled;
    }

    boolean requested() {
        return requested;
    }

    Context context() {
        return subscriber.currentContext();
    }

    void emit(T value) {
        next(value);
        complete();
    }

    void next(T value) {
        subscriber.onNext(value);
    }

    void complete() {
        subscriber.onComplete();
    }

    void fail(Throwable error) {
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

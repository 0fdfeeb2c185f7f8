package io.stowline.retry;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Starts a {@link RetryRun} for each subscriber. */
final class RetryMono<T> extends Mono<Ended<T>> {

    private final RetryEngine engine;
    private final RetryCall<T> call;

    private RetryMono(RetryEngine engine, RetryCall<T> call) {
        this.engine = engine;
        this.call = call;
    }

    static <T> Mono<Ended<T>> of(RetryEngine engine, RetryCall<T> call) {
        return onAssembly(new RetryMono<>(engine, call));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Ended<T>> actual) {
        actual.onSubscribe(new RetryRun<>(engine, call, actual));
    }
}

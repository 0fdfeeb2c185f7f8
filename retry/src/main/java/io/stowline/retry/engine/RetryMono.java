package io.stowline.retry.engine;

import io.stowline.retry.RetryResult;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Starts a {@link RetryRun} for each subscriber. */
final class RetryMono<T> extends Mono<RetryResult<T>> {

    private final RetryEngine engine;
    private final RetryCall<T> call;

    private RetryMono(RetryEngine engine, RetryCall<T> call) {
        this.engine = engine;
        this.call = call;
    }

    static <T> Mono<RetryResult<T>> of(RetryEngine engine, RetryCall<T> call) {
        return onAssembly(new RetryMono<>(engine, call));
    }

    @Override
    public void subscribe(CoreSubscriber<? super RetryResult<T>> actual) {
        actual.onSubscribe(new RetryRun<>(engine, call, actual));
    }
}

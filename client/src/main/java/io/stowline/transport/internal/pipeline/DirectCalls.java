package io.stowline.transport.internal.pipeline;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.outcome.ResolvedMono;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * The operations that the library's requests carry out without an SDK client. Thread-safe.
 *
 * @param pipeline the pipeline of the requests
 */
public record DirectCalls(StoragePipeline pipeline, OperationObserver observer) {

    /** Returns the calls of one service, each of which is an operation. */
    public static DirectCalls of(StoragePipeline pipeline) {
        return new DirectCalls(pipeline, pipeline.observer());
    }

    /**
     * Runs a call with one result.
     *
     * @param verb the caller's verb
     * @param resource the resource of the operation; made only for a listener
     * @param request makes the request; called for every subscription
     * @param result makes the result of the response's meaning
     * @param <A> the meaning of the response
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> observed(
            String verb,
            Supplier<String> resource,
            Supplier<Exchange<A>> request,
            BiFunction<? super A, Exchange<A>, R> result) {
        return settled(verb, resource, request, result, (unknown, unresolved) -> Mono.error(unknown));
    }

    /**
     * Runs a write whose outcome can be found after a lost response.
     *
     * @param verb the caller's verb
     * @param resource the resource of the operation; made only for a listener
     * @param request makes the request; called for every subscription
     * @param result makes the result of the response's meaning
     * @param settle finds the outcome of a write that ended as unknown
     * @param <A> the meaning of the response
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> settled(
            String verb,
            Supplier<String> resource,
            Supplier<Exchange<A>> request,
            BiFunction<? super A, Exchange<A>, R> result,
            BiFunction<OutcomeUnknownException, UnresolvedAttempts, Mono<R>> settle) {
        Mono<R> work = Mono.defer(() -> {
            Exchange<A> exchange = request.get();
            return new ResolvedMono<>(
                    pipeline.send(exchange),
                    own -> result.apply(own, exchange),
                    error -> error instanceof OutcomeUnknownException unknown
                            ? settle.apply(unknown, pipeline.unresolved(exchange))
                            : Mono.error(error));
        });
        return observer.operation(verb, resource, work);
    }
}

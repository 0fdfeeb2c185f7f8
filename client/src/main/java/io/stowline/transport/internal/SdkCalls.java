package io.stowline.transport.internal;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpPipeline;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * How the asynchronous clients of the Azure SDK do operations of ours: they are built on {@link #pipeline()}, with no retry of
 * their own, and each call says through {@link #one} or {@link #many} what it is. What fails is a
 * {@link io.stowline.error.StorageException} then. Thread-safe.
 */
public final class SdkCalls {

    private final HttpPipeline pipeline;

    SdkCalls(HttpPipeline pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * The way of the requests, credentials and retries included.
     *
     * @return the pipeline for the builder of an SDK client
     */
    public HttpPipeline pipeline() {
        return pipeline;
    }

    /**
     * A call with at most one result.
     *
     * @param operation what it is
     * @param call makes the call; asked again for every subscription
     * @param <A> its result
     * @return the result, on an I/O or timer thread
     */
    public <A> Mono<A> one(Operation operation, Supplier<Mono<A>> call) {
        return Mono.defer(call)
                .onErrorMap(HttpResponseException.class, Redaction::of)
                .contextWrite(known -> with(operation, known));
    }

    /**
     * A call with one result whose answers the SDK reads whole. An answer that cannot be read is a
     * {@link io.stowline.error.ProtocolException}.
     *
     * @param operation what it is
     * @param call makes the call; asked again for every subscription
     * @param result makes the result of the call's own, and of the number of attempts that may have been carried out although their
     *     answer was lost, so that something may have been done twice
     * @param <A> the call's own result
     * @param <R> the result
     * @return the result, on an I/O or timer thread
     */
    public <A, R> Mono<R> observed(
            Operation operation, Supplier<Mono<A>> call, BiFunction<? super A, Integer, R> result) {
        return Mono.defer(() -> {
            Exchanges exchanges = new Exchanges();
            return one(operation, call)
                    .contextWrite(known -> known.put(Exchanges.KEY, exchanges))
                    .map(own -> result.apply(own, exchanges.unanswered()))
                    .onErrorMap(exchanges::meaning);
        });
    }

    /**
     * A call with many results, such as a listing or the bytes of a blob.
     *
     * @param operation what it is
     * @param call makes the call; asked again for every subscription
     * @param <A> the type of the results
     * @return the results, on an I/O or timer thread
     */
    public <A> Flux<A> many(Operation operation, Supplier<? extends Publisher<A>> call) {
        return Flux.<A>defer(call)
                .onErrorMap(HttpResponseException.class, Redaction::of)
                .contextWrite(known -> with(operation, known));
    }

    private static Context with(Operation operation, Context known) {
        return known.put(Operation.KEY, operation);
    }
}

package io.stowline.blob.internal;

import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Operation;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What both faces of a container and all its operations stand on. Immutable.
 *
 * @param service the service
 * @param container the SDK's client of the container
 * @param retry how its operations are tried
 */
public record BlobScope(BlobService service, BlobContainerAsyncClient container, RetrySettings retry) {

    /**
     * The container's name.
     *
     * @return the name
     */
    public String name() {
        return container.getBlobContainerName();
    }

    /**
     * The same container with other retry settings.
     *
     * @param settings the settings
     * @return the narrowed scope
     */
    public BlobScope with(RetrySettings settings) {
        return new BlobScope(service, container, settings);
    }

    /**
     * A result for the reactive face.
     *
     * @param result the result, on whatever thread
     * @param <R> its type
     * @return the same on a callback thread
     */
    public <R> Mono<R> delivered(Mono<R> result) {
        return result.publishOn(service.callbackScheduler());
    }

    /**
     * Results for the reactive face.
     *
     * @param results the results, on whatever thread
     * @param <R> their type
     * @return the same on a callback thread, no more than one ahead of its reader
     */
    public <R> Flux<R> delivered(Flux<R> results) {
        return results.publishOn(service.callbackScheduler(), 1);
    }

    BlobAsyncClient blob(String name) {
        return container.getBlobAsyncClient(name);
    }

    String resource(String blob) {
        return name() + "/" + blob;
    }

    Operation read(String verb, String resource) {
        return Operation.of(verb, resource, Effect.READ, retry);
    }

    Operation write(String verb, String resource) {
        return Operation.of(verb, resource, Effect.WRITE, retry);
    }

    /** A write with content, and the time for it. */
    Operation write(String verb, String resource, long bytes) {
        return Operation.of(verb, resource, Effect.WRITE, TransferTimes.of(retry, bytes));
    }

    <A> Mono<A> call(Operation operation, Supplier<Mono<A>> call) {
        return call(operation, call, answer -> answer);
    }

    /** What an answer means; one that nobody can make anything of is a protocol error. Not for content, which arrives after its answer. */
    <A, B> Mono<B> call(Operation operation, Supplier<Mono<A>> call, Function<A, B> meaning) {
        return service.calls().observed(operation, call, (answer, unanswered) -> meaning.apply(answer));
    }
}

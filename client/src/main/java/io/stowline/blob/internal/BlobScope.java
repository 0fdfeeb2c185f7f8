package io.stowline.blob.internal;

import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.Documented;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Operation;
import io.stowline.transport.internal.Reads;
import io.stowline.transport.internal.SdkCalls;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * What both faces of a container and all its operations stand on. Immutable.
 *
 * @param service the service
 * @param container the SDK's client of the container
 * @param retry how its operations are tried
 * @param reads where reads go whose results say where they came from
 * @param calls how the SDK's calls become operations
 */
public record BlobScope(
        BlobService service, BlobContainerAsyncClient container, RetrySettings retry, Reads reads, SdkCalls calls) {

    /** The answer to what makes a blob, a block or a container. */
    static final Documented MADE = Documented.status(201);

    /** The answer to a change of metadata or headers. */
    static final Documented CHANGED = Documented.status(200);

    /** The answer to a deletion. */
    static final Documented DELETED = Documented.status(202);

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
        return new BlobScope(service, container, settings, reads, calls);
    }

    /**
     * The same container with one more header on all its requests.
     *
     * @param header its name
     * @param value its value
     * @return the narrowed scope
     * @throws IllegalArgumentException if it is not allowed
     */
    public BlobScope header(String header, String value) {
        return new BlobScope(service, container, retry, reads, calls.header(header, value));
    }

    /** Work that takes some failures of its calls for an answer, told as one operation that has not failed then. */
    <A> Mono<A> told(Operation operation, Mono<A> work) {
        return calls.told(operation, work);
    }

    /** Work on a blob that a thread drives through several requests, told as one operation. */
    <A> A driven(String verb, String blob, ContextView seen, Function<BlobScope, A> work) {
        return calls.driven(
                verb,
                () -> resource(blob),
                seen,
                parts -> work.apply(new BlobScope(service, container, retry, reads, parts)));
    }

    /**
     * The same container, with reads that go elsewhere.
     *
     * @param from where safe reads go
     * @return the narrowed scope
     * @throws IllegalArgumentException if the account has no such place
     */
    public BlobScope with(ReadFrom from) {
        return new BlobScope(service, container, retry, reads.with(from), calls);
    }

    /**
     * The same container for reads that cannot say where they came from.
     *
     * @return the scope, with all reads at the primary
     */
    public BlobScope atPrimary() {
        return with(ReadFrom.PRIMARY);
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

    /**
     * The SDK's client of the container, for the application.
     *
     * @return the client
     */
    public BlobContainerAsyncClient lent() {
        return service.lent(name());
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

    Operation write(String verb, String resource, Documented success) {
        return Operation.of(verb, resource, Effect.WRITE, retry).succeeding(success);
    }

    /** A write with content, and the time for it. */
    Operation write(String verb, String resource, long bytes) {
        return Operation.of(verb, resource, Effect.WRITE, TransferTimes.of(retry, bytes))
                .succeeding(MADE);
    }

    <A> Mono<A> call(Operation operation, Supplier<Mono<A>> call) {
        return call(operation, call, answer -> answer);
    }

    /** What an answer means; one that nobody can make anything of is a protocol error. Not for content, which arrives after its answer. */
    <A, B> Mono<B> call(Operation operation, Supplier<Mono<A>> call, Function<A, B> meaning) {
        return calls.observed(operation, call, (answer, doubt) -> meaning.apply(answer));
    }

    /** What the answer to a read means, and where it came from. */
    <A, B> Mono<B> located(Operation operation, Supplier<Mono<A>> call, BiFunction<? super A, ReadOrigin, B> meaning) {
        return calls.located(operation, call, meaning);
    }

    /** The same of a write whose outcome can be found out after a lost answer. */
    <A, B> Mono<B> settled(
            Operation operation,
            Supplier<Mono<A>> call,
            BiFunction<? super A, Doubt, B> meaning,
            BiFunction<OutcomeUnknownException, Doubt, Mono<B>> settle) {
        return calls.settled(operation, call, meaning, settle);
    }
}

package io.stowline.blob.internal.base;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobRequestConditions;
import io.stowline.access.BlobSasBuilder;
import io.stowline.access.ContainerSasBuilder;
import io.stowline.access.SharedAccessSignature;
import io.stowline.access.internal.DefaultBlobSasBuilder;
import io.stowline.access.internal.DefaultContainerSasBuilder;
import io.stowline.access.internal.policy.PolicyOperations;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ReadPreference;
import io.stowline.transport.internal.request.ChangedResources;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The context that both faces of a container and all its operations share. Immutable.
 *
 * @param container the SDK's client of the container
 * @param calls the operations of the SDK's calls
 * @param revision the kept state that is read, or {@code null} for the present one
 */
public record BlobContext(
        BlobService service,
        BlobContainerAsyncClient container,
        SdkCalls calls,
        @Nullable RevisionId revision) {

    /**
     * A state of blobs that was kept.
     *
     * @param parameter what the service calls its kind in a query
     */
    public record RevisionId(String parameter, String id) {

        public static final String SNAPSHOT = "snapshot";
        public static final String VERSION = "versionid";

        /** Returns its form in the query of a request. */
        public String query() {
            return parameter + "=" + Request.encoded(id);
        }
    }

    /** The response to the making of a blob, a block or a container. */
    public static final DocumentedStatus MADE = DocumentedStatus.status(201);

    /** The response to a change of metadata or headers. */
    public static final DocumentedStatus CHANGED = DocumentedStatus.status(200);

    /** The response to a deletion. */
    public static final DocumentedStatus DELETED = DocumentedStatus.status(202);

    /** Returns the container's name. */
    public String name() {
        return container.getBlobContainerName();
    }

    /** Returns the retry settings of its operations. */
    public RetrySettings retry() {
        return calls.view().retry();
    }

    /** Returns the place of reads whose results name it. */
    public ReadPreference reads() {
        return calls.view().reads();
    }

    /** Returns the container with other retry settings. */
    public BlobContext with(RetrySettings settings) {
        return with(calls.with(calls.view().with(settings)));
    }

    /**
     * Returns the container with one more header on all its requests.
     *
     * @throws IllegalArgumentException if it is not allowed
     */
    public BlobContext header(String header, String value) {
        return with(calls.with(calls.view().header(header, value)));
    }

    /**
     * Returns the container with a lease that its writes name.
     *
     * @param lease gives its id by the resource of a write, or throws if it is not for that
     */
    public BlobContext leased(UnaryOperator<String> lease) {
        return with(calls.with(calls.view().leased(lease)));
    }

    private BlobContext with(SdkCalls other) {
        return new BlobContext(service, container, other, revision);
    }

    /** Checks the name of a blob, then begins the work: with each subscription. */
    public <A> Mono<A> named(String blob, Supplier<? extends Mono<A>> work) {
        return Mono.defer(() -> {
            BlobNameRules.check(blob);
            return work.get();
        });
    }

    /** Observes work as one operation, which has not failed where the work takes failures of its calls for a result. */
    public <A> Mono<A> asOperation(Operation operation, Mono<A> work) {
        return calls.asOperation(operation, work);
    }

    /** Observes work on a blob as one operation that a thread drives through several requests. */
    public <A> A driven(String verb, String blob, ContextView seen, Function<BlobContext, A> work) {
        return calls.driven(verb, () -> resource(blob), seen, parts -> work.apply(with(parts)));
    }

    /**
     * Returns the container with reads that go elsewhere.
     *
     * @throws IllegalArgumentException if the account has no such place
     */
    public BlobContext with(ReadFrom from) {
        return with(calls.with(calls.view().with(from)));
    }

    /** Returns the container with all reads at the primary, for those that cannot name their place. */
    public BlobContext atPrimary() {
        return with(ReadFrom.PRIMARY);
    }

    /**
     * Delivers a result to the reactive face.
     *
     * @param result the result, on whatever thread
     * @param <R> its type
     * @return the same on a callback thread
     */
    public <R> Mono<R> delivered(Mono<R> result) {
        return service.callbacks().deliver(FatalErrors.ending(result));
    }

    /**
     * Delivers results to the reactive face.
     *
     * @param results the results, on whatever thread
     * @param <R> their type
     * @return the same on a callback thread, no more than one ahead of its reader
     */
    public <R> Flux<R> delivered(Flux<R> results) {
        return service.callbacks().deliver(results, 1);
    }

    /** Begins a signature for all blobs of the container. */
    public <R> ContainerSasBuilder<R> sas(Function<Mono<SharedAccessSignature>, R> result) {
        return new DefaultContainerSasBuilder<>(service.signer(), name(), URI.create(url()), result);
    }

    /** Returns the operations on the stored access policies of the container. */
    public PolicyOperations policies() {
        return PolicyOperations.of(
                service.signer(), name(), retry(), calls.view().headers());
    }

    /** Begins a signature for one blob, or the revision of it that this context reads. */
    public <R> BlobSasBuilder<R> sas(String blob, Function<Mono<SharedAccessSignature>, R> result) {
        String path = name() + "/" + BlobNameRules.check(blob);
        String url = url(blob);
        if (revision == null) {
            return DefaultBlobSasBuilder.of(service.signer(), path, URI.create(url), result);
        }
        URI kept = URI.create(url + "?" + revision.query());
        return revision.parameter.equals(RevisionId.SNAPSHOT)
                ? DefaultBlobSasBuilder.ofSnapshot(service.signer(), path, revision.id, kept, result)
                : DefaultBlobSasBuilder.ofVersion(service.signer(), path, revision.id, kept, result);
    }

    /** Returns the executor for listeners of the application. */
    public Executor callbacks() {
        return service.callbacks()::run;
    }

    /** Returns the executor for listeners of the application that an operation waits for. */
    public Executor awaitedCallbacks() {
        InFlightRegistry operations = service.pipeline().observer().inFlight();
        return call -> service.callbacks().run(() -> AwaitedCode.run(operations, call));
    }

    /** Calls code of the application that an operation waits for. */
    public <R> R awaited(Supplier<R> code) {
        return AwaitedCode.call(service.pipeline().observer().inFlight(), () -> UserCode.call(code));
    }

    /** Returns the SDK's client of the container, for the application. */
    public BlobContainerAsyncClient applicationClient() {
        return service.applicationClient(name());
    }

    /** Returns the container with its blobs read in a kept state. */
    public BlobContext at(RevisionId kept) {
        return new BlobContext(service, container, calls, kept);
    }

    public BlobAsyncClient blob(String name) {
        BlobAsyncClient present = container.getBlobAsyncClient(name);
        if (revision == null) {
            return present;
        }
        return revision.parameter.equals(RevisionId.SNAPSHOT)
                ? present.getSnapshotClient(revision.id)
                : present.getVersionClient(revision.id);
    }

    /** Returns the address of the container. */
    public String url() {
        return service.url(name());
    }

    /**
     * Returns the address of a blob without the revision that this context reads, encoded as the SDK does it: caches
     * know both addresses for one.
     */
    public String url(String blob) {
        return url() + "/" + Request.encoded(blob);
    }

    /** Returns the decoded address of a blob, by which caches know it. */
    public String address(String blob) {
        String address = ChangedResources.address(url()) + "/" + blob;
        return revision == null ? address : address + "?" + revision.parameter + "=" + revision.id;
    }

    /**
     * Returns the identity of the blob, whatever the address of its account: unfinished files are named by it, so that
     * a download through another endpoint continues them.
     */
    public String identity(String blob) {
        return service.account() + "/" + resource(blob);
    }

    /** Returns a blob as the target of a request. */
    public RequestTarget target(String blob) {
        return RequestTarget.named(name(), blob, revision == null ? null : resource(blob));
    }

    public String resource(String blob) {
        return name() + "/" + blob + (revision == null ? "" : "?" + revision.query());
    }

    public Operation read(String verb, String resource) {
        return Operation.of(verb, resource, OperationType.READ, retry());
    }

    /** Returns a read-back of a write's target, within the write's deadline. */
    public Operation readBack(String verb, String resource, Deadline deadline) {
        return Operation.of(verb, resource, OperationType.READ, retry().forReadBack())
                .within(deadline);
    }

    /** Returns the deadline of a call that begins now, whatever number of requests it takes. */
    public Deadline deadline() {
        return Deadline.in(retry().deadline(), service.timer());
    }

    public Operation write(String verb, String resource, DocumentedStatus success) {
        return Operation.of(verb, resource, OperationType.WRITE, retry()).succeeding(success);
    }

    /** Returns a write with content, and the time for it. */
    public Operation write(String verb, String resource, long bytes) {
        return Operation.of(verb, resource, OperationType.WRITE, TransferTimes.of(retry(), bytes))
                .succeeding(MADE);
    }

    /**
     * Changes or removes something whatever its version, so that it may take effect again after a lost response.
     *
     * @param etag reads the new ETag
     */
    public Mono<WriteResult> changed(
            Operation operation, Supplier<Mono<Response<Void>>> call, Function<Response<Void>, String> etag) {
        return calls.observed(
                operation,
                call,
                (response, unresolved) ->
                        WriteResult.confirmed(etag.apply(response), unresolved.mayRepeat(Evidence.RESPONSE)));
    }

    public <A> Mono<A> call(Operation operation, Supplier<Mono<A>> call) {
        return call(operation, call, response -> response);
    }

    /**
     * Carries out a call and reads its response, where one without sense is a protocol error. Not for content, which
     * arrives after its response.
     */
    public <A, B> Mono<B> call(Operation operation, Supplier<Mono<A>> call, Function<A, B> meaning) {
        return calls.observed(operation, call, (response, unresolved) -> meaning.apply(response));
    }

    /** Carries out a read whose result names its place. */
    public <A, B> Mono<B> located(
            Operation operation, Supplier<Mono<A>> call, BiFunction<? super A, ReadOrigin, B> meaning) {
        return calls.located(operation, call, meaning);
    }

    /** Carries out a write whose outcome can be found after a lost response. */
    public <A, B> Mono<B> settled(
            Operation operation,
            Supplier<Mono<A>> call,
            BiFunction<? super A, UnresolvedAttempts, B> meaning,
            BiFunction<OutcomeUnknownException, UnresolvedAttempts, Mono<B>> settle) {
        return calls.settled(operation, call, meaning, settle);
    }

    /**
     * The time limits of requests with content: that of any request, and a second for every 256 KiB, as a slow line
     * needs it; at most the deadline. The service itself would allow ten minutes for a MiB that is written and two for
     * one that is read.
     */
    public static final class TransferTimes {

        private static final int BYTES_PER_SECOND = 256 * 1024;

        private TransferTimes() {}

        public static RetrySettings of(RetrySettings settings, long bytes) {
            Duration needed = settings.serverTimeout().plusSeconds(bytes / BYTES_PER_SECOND);
            Duration max = settings.deadline();
            Duration time = needed.compareTo(max) < 0 ? needed : max;
            return time.compareTo(settings.serverTimeout()) > 0
                    ? settings.toBuilder().serverTimeout(time).build()
                    : settings;
        }
    }

    /** The conditions of requests on blobs, and what a missing blob means. Stateless. */
    public static final class BlobConditions {

        private BlobConditions() {}

        /** Returns the value, or nothing if the blob, but not its container, is missing. */
        public static <A> Mono<A> unlessMissing(Mono<A> value) {
            return value.onErrorResume(NotFoundException.class, e -> blobMissing(e) ? Mono.empty() : Mono.error(e));
        }

        /** Returns whether the blob is there, encrypted by a key that its writer keeps. */
        public static boolean hasOtherKey(ConflictException e) {
            return "BlobUsesCustomerSpecifiedEncryption".equals(e.failure().errorCode());
        }

        public static boolean blobMissing(NotFoundException e) {
            return !"ContainerNotFound".equals(e.failure().errorCode());
        }

        public static BlobRequestConditions onlyIf(@Nullable String etag) {
            return new BlobRequestConditions().setIfMatch(etag);
        }
    }
}

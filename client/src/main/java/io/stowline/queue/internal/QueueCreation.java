package io.stowline.queue.internal;

import com.azure.core.http.rest.Response;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueProperties;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.RequestIds;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The creation of one queue. Where the queue must not exist before, it leaves a marker in the metadata. With the marker
 * no two calls create an equal queue, so that the service's "the same exists already" can only be the echo of an
 * attempt whose response was lost. The service does not report the time of a queue's creation. Immutable.
 */
final class QueueCreation {

    private static final String THERE = "QueueAlreadyExists";
    private static final int CREATED = 201;
    private static final String GONE = "the queue does not exist now; another client may have removed it since";
    private static final String ANOTHER =
            "the existing queue lacks the mark of this call: another client created it, or has replaced its"
                    + " metadata since";

    private final QueueAsyncClient sdk;
    private final SdkCalls calls;
    private final Operation operation;

    QueueCreation(QueueAsyncClient sdk, SdkCalls calls, RetrySettings retry) {
        this.sdk = sdk;
        this.calls = calls;
        this.operation = Operation.of("create", sdk.getQueueName(), OperationType.CREATE, retry)
                .succeeding(DocumentedStatus.status(CREATED, 204));
    }

    /** Makes it; one that is there already is a conflict, unless it is this call that made it. */
    Mono<Boolean> make() {
        return Mono.defer(() -> {
            String id = RequestIds.next();
            return calls.settled(
                    operation,
                    () -> sdk.createWithResponse(WriteIdMetadata.in(Map.of(), id)),
                    (response, unresolved) -> true,
                    (end, unresolved) -> OutcomeResolver.readBack(
                                    readBack(unresolved, seen -> id.equals(seen.marker())), unresolved, atLeast())
                            .flatMap(finding -> OutcomeResolver.resolved(end, finding)));
        });
    }

    /**
     * Makes it unless one is there, by whomever that was made. It leaves no marker, for with one the same call of another client would be a
     * conflict: the service takes queues of the same metadata for the same.
     */
    Mono<Boolean> makeUnlessThere() {
        Mono<Boolean> work = calls.<Response<Void>, Boolean>settled(
                        operation,
                        () -> sdk.createWithResponse(null),
                        (response, unresolved) -> response.getStatusCode() == CREATED,
                        (end, unresolved) -> THERE.equals(end.failure().errorCode())
                                ? Mono.just(false)
                                : OutcomeResolver.readBack(readBack(unresolved, seen -> true), unresolved, atLeast())
                                        .flatMap(finding -> finding instanceof ReadBackResult.ProvenDone
                                                ? Mono.just(false)
                                                : OutcomeResolver.resolved(end, finding)))
                .onErrorResume(
                        ConflictException.class,
                        e -> THERE.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return calls.asOperation(operation, work);
    }

    private Duration atLeast() {
        return operation.settings().forReadBack().minAttempt();
    }

    /** A read-back of the present queue. */
    private record Seen(@Nullable String marker) {}

    private Mono<ReadBackResult<Boolean>> readBack(UnresolvedAttempts unresolved, Predicate<Seen> done) {
        Operation readBack = Operation.of(
                operation.name(),
                operation.resource(),
                OperationType.READ,
                operation.settings().forReadBack());
        return calls.<QueueProperties, ReadBackResult<Boolean>>observed(
                        readBack.within(unresolved.deadline()),
                        sdk::getProperties,
                        (found, none) -> done.test(new Seen(WriteIdMetadata.of(found.getMetadata())))
                                ? new ReadBackResult.ProvenDone<>(true)
                                : new ReadBackResult.Unproven<>(ANOTHER))
                .onErrorResume(NotFoundException.class, e -> Mono.just(new ReadBackResult.Unproven<>(GONE)))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
    }
}

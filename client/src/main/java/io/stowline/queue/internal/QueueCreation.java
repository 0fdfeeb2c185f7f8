package io.stowline.queue.internal;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.queue.internal.QueueRequests.QueueState;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.request.RequestIds;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/**
 * The creation of one queue. Where the queue must not exist before, it leaves a marker in the metadata. With the marker
 * no two calls create an equal queue, so that the service's "the same exists already" can only be the echo of an
 * attempt whose response was lost. The service does not report the time of a queue's creation. Immutable.
 */
record QueueCreation(DirectCalls calls, QueueRequests requests, RetrySettings retry) {

    private static final String CREATE = "create";
    private static final String THERE = "QueueAlreadyExists";
    private static final String GONE = "the queue does not exist now; another client may have removed it since";
    private static final String ANOTHER =
            "the existing queue lacks the marker of this call: another client created it, or has replaced its"
                    + " metadata since";

    /** Makes it; one that is there already is a conflict, unless it is this call that made it. */
    Mono<Boolean> make() {
        return Mono.defer(() -> {
            String id = RequestIds.next();
            return sent(WriteIdMetadata.in(Map.of(), id), (end, unresolved) -> readBack(
                            unresolved, seen -> id.equals(WriteIdMetadata.of(seen.metadata())))
                    .flatMap(finding -> OutcomeResolver.resolved(end, finding)));
        });
    }

    /**
     * Makes it unless one is there, by whomever that was made. It leaves no marker, for with one the same call of another client would be a
     * conflict: the service takes queues of the same metadata for the same.
     */
    Mono<Boolean> makeUnlessThere() {
        Mono<Boolean> work = sent(
                        Map.of(),
                        (end, unresolved) -> THERE.equals(end.failure().errorCode())
                                ? Mono.just(false)
                                : readBack(unresolved, seen -> true)
                                        .flatMap(finding -> finding instanceof ReadBackResult.ProvenDone
                                                ? Mono.just(false)
                                                : OutcomeResolver.resolved(end, finding)))
                .onErrorResume(
                        ConflictException.class,
                        e -> THERE.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return calls.observer().operation(CREATE, requests::queue, work);
    }

    private Mono<Boolean> sent(
            Map<String, String> metadata,
            BiFunction<OutcomeUnknownException, UnresolvedAttempts, Mono<Boolean>> settle) {
        return calls.settled(
                CREATE, requests::queue, () -> requests.create(metadata, retry), (made, exchange) -> made, settle);
    }

    private Mono<ReadBackResult<Boolean>> readBack(UnresolvedAttempts unresolved, Predicate<QueueState> done) {
        RetrySettings settings = retry.forReadBack();
        Mono<ReadBackResult<Boolean>> once = Mono.defer(() -> calls.pipeline()
                        .send(requests.state(CREATE, false, settings)
                                .with(options -> options.within(unresolved.deadline()))))
                .<ReadBackResult<Boolean>>map(found -> done.test(found)
                        ? new ReadBackResult.ProvenDone<>(true)
                        : new ReadBackResult.Unproven<>(ANOTHER))
                .onErrorResume(NotFoundException.class, e -> Mono.just(new ReadBackResult.Unproven<>(GONE)))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
        return OutcomeResolver.readBack(once, unresolved, settings.minAttempt());
    }
}

package io.stowline.queue.internal;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueProperties;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.MetadataMark;
import io.stowline.transport.internal.Operation;
import io.stowline.transport.internal.RequestIds;
import io.stowline.transport.internal.SdkCalls;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The making of one queue. It leaves a mark in the metadata: with it no two calls ask for the same queue, so that the service's "the same
 * is there already" can only be the echo of an attempt whose answer was lost. Nothing tells when a queue was made. Immutable.
 */
final class Making {

    private static final String THERE = "QueueAlreadyExists";
    private static final String ANOTHER =
            "the queue that is there has not the mark of this call: somebody else made it, or has replaced its metadata since";

    private final QueueAsyncClient sdk;
    private final SdkCalls calls;
    private final Operation operation;

    Making(QueueAsyncClient sdk, SdkCalls calls, RetrySettings retry) {
        this.sdk = sdk;
        this.calls = calls;
        this.operation = Operation.of("create", sdk.getQueueName(), Effect.CREATE, retry);
    }

    /** How a call ends that got no answer to tell. */
    private interface Settling {
        Mono<Boolean> settle(OutcomeUnknownException end, Doubt doubt, String id);
    }

    /** Makes it; one that is there already is a conflict, unless it is this call that made it. */
    Mono<Boolean> make() {
        return make((end, doubt, id) -> isOurs(doubt, id)
                .onErrorResume(StorageException.class, e -> Mono.error(unseen(end, e)))
                .flatMap(ours -> ours ? Mono.just(true) : Mono.error(Failures.stillUnknown(end, ANOTHER))));
    }

    /** Makes it unless one is there, whoever made that. */
    Mono<Boolean> makeUnlessThere() {
        Mono<Boolean> work = make((end, doubt, id) -> isOurs(doubt, id)
                        .onErrorResume(
                                StorageException.class,
                                e -> THERE.equals(end.failure().errorCode())
                                        ? Mono.just(false)
                                        : Mono.error(unseen(end, e))))
                .onErrorResume(
                        ConflictException.class,
                        e -> THERE.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return calls.told(operation, work);
    }

    private Mono<Boolean> make(Settling settling) {
        return Mono.defer(() -> {
            String id = RequestIds.next();
            return calls.settled(
                    operation,
                    () -> sdk.createWithResponse(MetadataMark.in(Map.of(), id)),
                    (answer, doubt) -> true,
                    (end, doubt) -> settling.settle(end, doubt, id));
        });
    }

    private Mono<Boolean> isOurs(Doubt doubt, String id) {
        Operation look = Operation.of(operation.name(), operation.resource(), Effect.READ, operation.settings());
        return calls.<QueueProperties, Boolean>observed(
                look.within(doubt.deadline()),
                sdk::getProperties,
                (found, none) -> id.equals(MetadataMark.of(found.getMetadata())));
    }

    private static OutcomeUnknownException unseen(OutcomeUnknownException end, StorageException e) {
        return Failures.stillUnknown(
                end,
                e instanceof NotFoundException
                        ? "there is no such queue now; somebody may have removed it since"
                        : "reading back failed: " + e.getMessage());
    }
}

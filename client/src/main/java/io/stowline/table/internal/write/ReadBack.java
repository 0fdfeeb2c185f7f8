package io.stowline.table.internal.write;

import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.WriteVerifier.EntitySnapshot;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.AttemptControl;
import io.stowline.transport.internal.request.BatchOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The read-back of writes whose response was lost: first in line, past every cache, in the primary, and within the
 * write's deadline. Thread-safe.
 *
 * @param control the control of the write's attempts, or {@code null} if it has none
 */
record ReadBack(
        TableOperations operations,
        StoragePipeline pipeline,
        @Nullable AttemptControl control) {

    /** The message of an upsert that ended without a response. */
    static final String UPSERT =
            "an upsert is not read back, for a later write may have changed what it left; it can be sent once more";

    /**
     * Returns the result of a read-back. Where only the time after the horizon can prove one, and the deadline allows
     * it, a second read-back follows.
     */
    Mono<ReadBackResult<WriteResult>> readBack(
            EncodedOperation sent, WriteVerifier verifier, UnresolvedAttempts unresolved) {
        Mono<ReadBackResult<WriteResult>> once = Mono.defer(() -> once(sent, verifier, unresolved));
        return OutcomeResolver.readBack(
                once, unresolved, operations.retry().forReadBack().minAttempt());
    }

    private Mono<ReadBackResult<WriteResult>> once(
            EncodedOperation sent, WriteVerifier verifier, UnresolvedAttempts unresolved) {
        if (control != null && !control.isWanted()) {
            return Mono.just(new ReadBackResult.Unproven<>("nothing was read back, as the caller has left"));
        }
        return pipeline.send(readBack(sent, unresolved))
                .map(response -> judged(sent, response, verifier))
                .onErrorResume(NotFoundException.class, e -> Mono.just(missing(e, verifier)))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
    }

    private Exchange<StorageResponse> readBack(EncodedOperation sent, UnresolvedAttempts unresolved) {
        RetrySettings retry = operations.retry().forReadBack();
        Exchange<StorageResponse> read = TableRequests.exchange(operations.entity(sent), retry)
                .with(options -> options.within(unresolved.deadline()));
        return control == null ? read : read.forBatch(new BatchOptions(null, retry.deadline(), false, control), null);
    }

    private static ReadBackResult<WriteResult> judged(
            EncodedOperation sent, StorageResponse response, WriteVerifier verifier) {
        String wrong = new PointReadCheck(sent.partitionKey(), sent.rowKey(), false).against(response);
        if (wrong != null) {
            return new ReadBackResult.Unseen<>(wrong);
        }
        try {
            return verifier.of(EntitySnapshot.of(response));
        } catch (IOException e) {
            return new ReadBackResult.Unseen<>("the entity is there but could not be read: " + e.getMessage());
        }
    }

    private static ReadBackResult<WriteResult> missing(NotFoundException e, WriteVerifier verifier) {
        return "TableNotFound".equals(e.failure().errorCode())
                ? new ReadBackResult.Unproven<>("the table is gone, and what was in it")
                : verifier.absent();
    }
}

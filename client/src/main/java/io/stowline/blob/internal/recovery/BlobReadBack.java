package io.stowline.blob.internal.recovery;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import reactor.core.publisher.Mono;

/**
 * The read-back of a blob or container after a write whose response was lost: first in line, in the primary, and within the write's
 * deadline. Stateless.
 */
public final class BlobReadBack {

    private static final String GONE = "it is not there now; another client may have removed it since";
    private static final String ALL_GONE = "its container is gone, and what was in it";

    private BlobReadBack() {}

    public static Mono<BlobSnapshot> atBlob(
            BlobContext context, String verb, String name, UnresolvedAttempts unresolved) {
        return context.call(
                context.readBack(verb, context.resource(name), unresolved.deadline()),
                () -> context.blob(name).getPropertiesWithResponse(null),
                response -> BlobSnapshot.blob(name, response));
    }

    public static Mono<BlobSnapshot> atContainer(BlobContext context, String verb, UnresolvedAttempts unresolved) {
        return context.call(
                context.readBack(verb, context.name(), unresolved.deadline()),
                () -> context.container().getPropertiesWithResponse(null),
                BlobSnapshot::container);
    }

    /** Reads back, a second time after the horizon if need be, and returns the finding. */
    public static <R> Mono<R> settle(
            BlobContext context,
            OutcomeUnknownException end,
            UnresolvedAttempts unresolved,
            Mono<ReadBackResult<R>> readBack) {
        Mono<ReadBackResult<R>> found = readBack.onErrorResume(StorageException.class, e -> Mono.just(unseen(e)));
        return OutcomeResolver.readBack(
                        found, unresolved, context.retry().forReadBack().minAttempt())
                .flatMap(last -> OutcomeResolver.resolved(end, last));
    }

    private static <R> ReadBackResult<R> unseen(StorageException e) {
        if (e instanceof NotFoundException missing) {
            return new ReadBackResult.Unproven<>(BlobConditions.blobMissing(missing) ? GONE : ALL_GONE);
        }
        return OutcomeResolver.unseen(e);
    }
}

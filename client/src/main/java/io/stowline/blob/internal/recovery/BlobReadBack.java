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
 * The reading back of a blob or container after a write whose answer was lost: first in line, in the primary, and within the write's
 * deadline. Stateless.
 */
public final class BlobReadBack {

    private static final String GONE = "it is not there now; another client may have removed it since";
    private static final String ALL_GONE = "its container is gone, and what was in it";

    private BlobReadBack() {}

    public static Mono<BlobSnapshot> atBlob(BlobContext scope, String verb, String name, UnresolvedAttempts doubt) {
        return scope.call(
                scope.readBack(verb, scope.resource(name), doubt.deadline()),
                () -> scope.blob(name).getPropertiesWithResponse(null),
                answer -> BlobSnapshot.blob(name, answer));
    }

    public static Mono<BlobSnapshot> atContainer(BlobContext scope, String verb, UnresolvedAttempts doubt) {
        return scope.call(
                scope.readBack(verb, scope.name(), doubt.deadline()),
                () -> scope.container().getPropertiesWithResponse(null),
                BlobSnapshot::container);
    }

    /** Looks, a second time after the horizon if need be, and tells what that has shown. */
    public static <R> Mono<R> settle(
            BlobContext scope, OutcomeUnknownException end, UnresolvedAttempts doubt, Mono<ReadBackResult<R>> look) {
        Mono<ReadBackResult<R>> found = look.onErrorResume(StorageException.class, e -> Mono.just(unseen(e)));
        return OutcomeResolver.look(found, doubt, scope.retry().forReadBack().leastAttempt())
                .flatMap(last -> OutcomeResolver.resolved(end, last));
    }

    private static <R> ReadBackResult<R> unseen(StorageException e) {
        if (e instanceof NotFoundException missing) {
            return new ReadBackResult.Unknown<>(BlobConditions.blobMissing(missing) ? GONE : ALL_GONE);
        }
        return OutcomeResolver.unseen(e);
    }
}

package io.stowline.blob.internal;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Finding;
import io.stowline.transport.internal.Settlement;
import reactor.core.publisher.Mono;

/** Ends a write whose answer was lost with what looking has shown. */
final class Settled {

    private static final String GONE = "it is not there now; somebody may have removed it since";
    private static final String ALL_GONE = "its container is gone, and what was in it";

    private Settled() {}

    /** Looks, a second time after the horizon if need be, and tells what that has shown. */
    static <R> Mono<R> of(BlobScope scope, OutcomeUnknownException end, Doubt doubt, Mono<Finding<R>> look) {
        Mono<Finding<R>> found = look.onErrorResume(StorageException.class, e -> Mono.just(unseen(e)));
        return Settlement.look(found, doubt, scope.retry().leastAttempt()).flatMap(last -> Settlement.told(end, last));
    }

    private static <R> Finding<R> unseen(StorageException e) {
        if (e instanceof NotFoundException missing) {
            return new Finding.Unknown<>(BlobVerbs.blobMissing(missing) ? GONE : ALL_GONE);
        }
        return Settlement.unseen(e);
    }
}

package io.stowline.blob.internal.recovery;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.EntityTags;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What becomes of the deletion of a blob whose answer was lost. */
public final class BlobDeletion {

    private static final String THERE_BEFORE = "the blob has been there since before the first attempt";
    private static final String SAME_VERSION = "the blob still has the version that was to be removed";
    private static final String NEWER = "the blob that is there may have been made after the first attempt";
    private static final String GONE = "the blob is gone; this call may have removed it, or another client";

    private final BlobContext scope;
    private final String name;
    private final @Nullable String etag;
    private final boolean bound;

    public BlobDeletion(BlobContext scope, String name, @Nullable String etag) {
        this.scope = scope;
        this.name = name;
        this.etag = etag;
        this.bound = BlobWriteVerifier.bound(etag);
    }

    public Mono<Boolean> settle(OutcomeUnknownException end, UnresolvedAttempts doubt) {
        boolean missing = end.getCause() instanceof NotFoundException gone && BlobConditions.blobMissing(gone);
        Mono<ReadBackResult<Boolean>> look = missing
                ? Mono.just(absent())
                : BlobConditions.unlessMissing(BlobReadBack.atBlob(scope, "delete", name, doubt)
                                .map(seen -> judged(seen, doubt)))
                        .switchIfEmpty(Mono.fromSupplier(this::absent));
        return BlobReadBack.settle(scope, end, doubt, look);
    }

    private ReadBackResult<Boolean> absent() {
        return bound ? new ReadBackResult.Unknown<>(GONE) : new ReadBackResult.Done<>(true);
    }

    private ReadBackResult<Boolean> judged(BlobSnapshot seen, UnresolvedAttempts doubt) {
        if (bound && EntityTags.same(seen.etag(), etag)) {
            return ReadBackResult.onceOver(doubt, SAME_VERSION);
        }
        if (seen.thereBefore(doubt)) {
            return bound ? new ReadBackResult.Refused<>(THERE_BEFORE) : ReadBackResult.onceOver(doubt, THERE_BEFORE);
        }
        return new ReadBackResult.Unknown<>(NEWER);
    }
}

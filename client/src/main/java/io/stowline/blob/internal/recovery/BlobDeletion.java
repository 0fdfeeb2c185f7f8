package io.stowline.blob.internal.recovery;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.outcome.EntityTags;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The outcome of the deletion of a blob whose response was lost. */
public final class BlobDeletion {

    private static final String THERE_BEFORE = "the blob has been there since before the first attempt";
    private static final String SAME_VERSION = "the blob still has the version that was to be removed";
    private static final String NEWER = "the blob that is there may have been made after the first attempt";
    private static final String GONE = "the blob is gone; this call may have removed it, or another client";

    private final BlobContext context;
    private final String name;
    private final @Nullable String etag;
    private final boolean bound;

    public BlobDeletion(BlobContext context, String name, @Nullable String etag) {
        this.context = context;
        this.name = name;
        this.etag = etag;
        this.bound = BlobWriteVerifier.bound(etag);
    }

    /** Returns the result of a deletion that the service confirmed. */
    public WriteResult confirmed(Object response, UnresolvedAttempts unresolved) {
        return WriteResult.confirmed("", !bound && unresolved.mayRepeat(Evidence.RESPONSE));
    }

    public Mono<WriteResult> settle(OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        boolean missing = end.getCause() instanceof NotFoundException gone && BlobConditions.blobMissing(gone);
        Mono<ReadBackResult<WriteResult>> readBack = missing
                ? Mono.just(absent(unresolved))
                : BlobConditions.unlessMissing(BlobReadBack.atBlob(context, "delete", name, unresolved)
                                .map(seen -> judged(seen, unresolved)))
                        .switchIfEmpty(Mono.fromSupplier(() -> absent(unresolved)));
        return BlobReadBack.settle(context, end, unresolved, readBack);
    }

    private ReadBackResult<WriteResult> absent(UnresolvedAttempts unresolved) {
        return bound
                ? new ReadBackResult.Unproven<>(GONE)
                : new ReadBackResult.ProvenDone<>(
                        WriteResult.absent(Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT)));
    }

    private ReadBackResult<WriteResult> judged(BlobSnapshot seen, UnresolvedAttempts unresolved) {
        if (bound && EntityTags.same(seen.etag(), etag)) {
            return ReadBackResult.onceOver(unresolved, SAME_VERSION);
        }
        if (seen.thereBefore(unresolved)) {
            return bound
                    ? new ReadBackResult.ProvenRefused<>(THERE_BEFORE)
                    : ReadBackResult.onceOver(unresolved, THERE_BEFORE);
        }
        return new ReadBackResult.Unproven<>(NEWER);
    }
}

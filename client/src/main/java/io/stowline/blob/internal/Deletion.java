package io.stowline.blob.internal;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.EntityTags;
import io.stowline.transport.internal.Finding;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What becomes of the deletion of a blob whose answer was lost. */
final class Deletion {

    private static final String THERE_BEFORE = "the blob has been there since before the first attempt";
    private static final String SAME_VERSION = "the blob still has the version that was to be removed";
    private static final String NEWER = "the blob that is there may have been made after the first attempt";
    private static final String GONE = "the blob is gone; this call may have removed it, or somebody else";

    private final BlobScope scope;
    private final String name;
    private final @Nullable String etag;
    private final boolean bound;

    Deletion(BlobScope scope, String name, @Nullable String etag) {
        this.scope = scope;
        this.name = name;
        this.etag = etag;
        this.bound = Judge.bound(etag);
    }

    Mono<Boolean> settle(OutcomeUnknownException end, Doubt doubt) {
        boolean missing = end.getCause() instanceof NotFoundException gone && BlobVerbs.blobMissing(gone);
        Mono<Finding<Boolean>> look = missing
                ? Mono.just(absent())
                : BlobVerbs.unlessMissing(
                                Looks.atBlob(scope, "delete", name, doubt).map(seen -> judged(seen, doubt)))
                        .switchIfEmpty(Mono.fromSupplier(this::absent));
        return Settled.of(scope, end, doubt, look);
    }

    private Finding<Boolean> absent() {
        return bound ? new Finding.Unknown<>(GONE) : new Finding.Done<>(true);
    }

    private Finding<Boolean> judged(Seen seen, Doubt doubt) {
        if (bound && EntityTags.same(seen.etag(), etag)) {
            return onceOver(doubt, SAME_VERSION);
        }
        if (seen.thereBefore(doubt)) {
            return bound ? new Finding.Refused<>(THERE_BEFORE) : onceOver(doubt, THERE_BEFORE);
        }
        return new Finding.Unknown<>(NEWER);
    }

    private static Finding<Boolean> onceOver(Doubt doubt, String how) {
        return doubt.over() ? new Finding.Refused<>(how) : new Finding.Open<>();
    }
}

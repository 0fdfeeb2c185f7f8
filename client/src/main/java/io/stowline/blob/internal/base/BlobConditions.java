package io.stowline.blob.internal.base;

import com.azure.storage.blob.models.BlobRequestConditions;
import io.stowline.error.NotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The conditions of requests on blobs, and what a missing blob means. Stateless. */
public final class BlobConditions {

    private BlobConditions() {}

    /** The value, or nothing if the blob, but not its container, is missing. */
    public static <A> Mono<A> unlessMissing(Mono<A> value) {
        return value.onErrorResume(NotFoundException.class, e -> blobMissing(e) ? Mono.empty() : Mono.error(e));
    }

    public static boolean blobMissing(NotFoundException e) {
        return !"ContainerNotFound".equals(e.failure().errorCode());
    }

    public static BlobRequestConditions onlyIf(@Nullable String etag) {
        return new BlobRequestConditions().setIfMatch(etag);
    }
}

package io.stowline.blob.internal.copy;

import com.azure.storage.blob.models.AccessTier;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.error.FailureFacts;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The promotion of a snapshot or version of a blob, whose content becomes the present state. That of a block blob is written in one step, so that a
 * failure leaves the present state as it was (COPY-1). The service copies a blob of another type in place, which has no such way.
 *
 * @param context the container at the kept state
 * @param name the name of the blob
 */
public record Promotion(BlobContext context, String name) {

    private static final String VERB = "promote";
    private static final Duration PAUSE = Duration.ofMillis(500);

    /** Makes the present state a copy of the kept one. */
    public Mono<Void> run() {
        return context.named(name, () -> {
            Objects.requireNonNull(context.revision(), "revision");
            BlobContext present = new BlobContext(context.service(), context.container(), context.calls(), null);
            ContainerSource kept = new ContainerSource(context, name);
            Deadline deadline = context.deadline();
            return context.asOperation(
                    context.write(VERB, context.resource(name), BlobContext.DELETED),
                    kept.info(VERB, null)
                            .flatMap(from -> isCopiedInOneStep(from.info())
                                    ? written(present, kept, from)
                                            .onErrorResume(this::isMissing, e -> inPlace(present, kept, deadline))
                                    : inPlace(present, kept, deadline)));
        });
    }

    /** The content of an archived blob cannot be read, and Put Blob From URL makes block blobs only. */
    private boolean isCopiedInOneStep(BlobInfo from) {
        return context.service().version().copies()
                && from.type() == BlobType.BLOCK_BLOB
                && !AccessTier.ARCHIVE.equals(from.tier());
    }

    private boolean isMissing(Throwable error) {
        return error instanceof StorageException failed && ServerCopy.isMissing(failed, URI.create(context.url()));
    }

    private Mono<Void> written(BlobContext present, ContainerSource kept, SourceInfo from) {
        return new ServerCopy(present, VERB, name, kept, read -> UploadSettings.builder()
                        .overwrite()
                        .headers(none -> read.headers().toBuilder())
                        .metadata(read.metadata())
                        .blockSize(StorageLimits.COPY_MAX_SINGLE_BYTES)
                        .build())
                .copied(from)
                .then();
    }

    private Mono<Void> inPlace(BlobContext present, ContainerSource kept, Deadline deadline) {
        return kept.address()
                .flatMap(address -> context.calls()
                        .direct()
                        .observed(
                                VERB,
                                () -> context.resource(name),
                                () -> new BlobRequests(present, VERB, name).copy(address, context.retry()),
                                (status, exchange) -> status))
                .flatMap(status ->
                        status.equals("success") ? Mono.<Void>empty() : ended(new BlobOperations(present), deadline));
    }

    private Mono<Void> ended(BlobOperations present, Deadline deadline) {
        return context.service()
                .pipeline()
                .pause(PAUSE)
                .flatMap(waited -> present.head(
                        VERB,
                        name,
                        null,
                        deadline,
                        response -> new CopiedBlob(response.getValue(), FailureFacts.Ids.of(response))))
                .flatMap(seen -> seen.blob.getCopyStatus() == CopyStatusType.PENDING
                        ? ended(present, deadline)
                        : result(seen.blob, seen.ids));
    }

    /**
     * The target of a copy.
     *
     * @param ids of the request that read it
     */
    private record CopiedBlob(BlobProperties blob, FailureFacts.Ids ids) {}

    private Mono<Void> result(BlobProperties blob, FailureFacts.Ids ids) {
        if (blob.getCopyStatus() == CopyStatusType.SUCCESS) {
            return Mono.empty();
        }
        return Mono.error(new ServerErrorException(
                FailureFacts.of(VERB, context.resource(name))
                        .tried(1, 0, Duration.ZERO)
                        .ids(ids)
                        .because(
                                "the service ended the copy as " + blob.getCopyStatus() + ": "
                                        + blob.getCopyStatusDescription(),
                                "the present state of the blob may be empty; promote it again"),
                null));
    }
}

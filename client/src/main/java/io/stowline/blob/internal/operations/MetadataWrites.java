package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.BlobProperties;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.recovery.BlobWriteVerifier;
import io.stowline.error.AuthenticationException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.OriginalContent;
import io.stowline.transport.internal.outcome.SourceTime;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.request.Operation;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A replacement of a blob's metadata that keeps what the library has stored beside them: the time of a file, and the facts of content
 * before its compression.
 */
record MetadataWrites(BlobOperations operations, BlobContext context) {

    private static final String SET_METADATA = "setMetadata";

    /** The reads of a blob whose metadata are to be replaced, where others write it at the same time. */
    private static final int MAX_TRIES = 3;

    /**
     * Replaces a blob's metadata.
     *
     * @param metadata all names and values
     * @param etag the only version to change, or {@code null} for any
     * @return its result, whose ETag is empty where the response was lost, for the blob may have been changed since
     */
    Mono<WriteResult> set(String name, Map<String, String> metadata, @Nullable String etag) {
        return context.named(name, () -> {
            String only = etag == null ? null : HeaderValues.etag(etag);
            Deadline deadline = context.deadline();
            Mono<Map<String, String>> all = MetadataRules.changed(
                    metadata,
                    () -> operations.head(
                            SET_METADATA,
                            name,
                            only,
                            deadline,
                            response -> StoredTexts.metadata(response.getValue().getMetadata())));
            return asSetMetadata(
                    name,
                    all.flatMap(checked -> only == null
                            ? setMetadata(name, checked, deadline, MAX_TRIES)
                            : seen(name, only, deadline)
                                    .flatMap(seen -> setMetadataOf(name, checked, seen.in(checked), only, deadline))));
        });
    }

    private Mono<WriteResult> asSetMetadata(String name, Mono<WriteResult> work) {
        return context.asOperation(context.write(SET_METADATA, context.resource(name), BlobContext.CHANGED), work);
    }

    private Operation settingMetadata(String name, Deadline deadline) {
        return context.write(SET_METADATA, context.resource(name), BlobContext.CHANGED)
                .until(deadline);
    }

    /**
     * A blob whose metadata are about to be replaced.
     *
     * @param etag its version, or an empty text
     * @param time the time of its file that they hold, or {@code null}
     * @param original the facts of its content before compression that they hold, or {@code null}
     */
    private record Seen(
            String etag, @Nullable Instant time, @Nullable OriginalContent original) {

        boolean keepsNothing() {
            return etag.isEmpty() || (time == null && original == null);
        }

        /** Adds the facts of the content, which stays. */
        Map<String, String> in(Map<String, String> metadata) {
            Map<String, String> timed = time == null ? metadata : SourceTime.in(metadata, time);
            return original == null ? timed : original.in(timed);
        }
    }

    /** A client that may write and not read learns of no time. */
    private Mono<Seen> seen(String name, @Nullable String etag, Deadline deadline) {
        return operations
                .head(SET_METADATA, name, etag, deadline, response -> {
                    BlobProperties found = response.getValue();
                    String version = found.getETag();
                    return new Seen(
                            version == null ? "" : HeaderValues.quoted(version),
                            SourceTime.of(found.getMetadata()),
                            OriginalContent.of(found.getMetadata()));
                })
                .onErrorReturn(AuthenticationException.class, new Seen("", null, null));
    }

    /**
     * The time of a file belongs to the content of one version: where others write at the same time it is read again,
     * and at last given up.
     */
    private Mono<WriteResult> setMetadata(String name, Map<String, String> metadata, Deadline deadline, int tries) {
        if (tries == 0) {
            return setMetadataOfAny(name, metadata, deadline);
        }
        return seen(name, null, deadline).flatMap(seen -> {
            if (seen.keepsNothing()) {
                return setMetadataOfAny(name, metadata, deadline);
            }
            Operation operation = settingMetadata(name, deadline);
            Map<String, String> all = seen.in(metadata);
            Mono<WriteResult> again = Mono.defer(() -> setMetadata(name, metadata, deadline, tries - 1));
            return context.call(
                            operation,
                            () -> context.blob(name).setMetadataWithResponse(all, BlobConditions.onlyIf(seen.etag)),
                            response -> WriteResult.confirmed(BlobOperations.etag(response), false))
                    .onErrorResume(MetadataWrites::isChangedSince, e -> again)
                    .onErrorResume(
                            OutcomeUnknownException.class,
                            e -> context.service().hasGivenUp() ? Mono.error(e) : again.onErrorMap(later -> e));
        });
    }

    private static boolean isChangedSince(Throwable error) {
        return error instanceof PreconditionFailedException failed
                && "ConditionNotMet".equals(failed.failure().errorCode());
    }

    private Mono<WriteResult> setMetadataOfAny(String name, Map<String, String> metadata, Deadline deadline) {
        return context.changed(
                settingMetadata(name, deadline),
                () -> context.blob(name).setMetadataWithResponse(metadata, null),
                BlobOperations::etag);
    }

    private Mono<WriteResult> setMetadataOf(
            String name, Map<String, String> metadata, Map<String, String> kept, String etag, Deadline deadline) {
        String id = MetadataRules.markBeside(kept);
        Map<String, String> all = id == null ? kept : WriteIdMetadata.in(kept, id);
        return context.settled(
                settingMetadata(name, deadline),
                () -> context.blob(name).setMetadataWithResponse(all, BlobConditions.onlyIf(etag)),
                (response, unresolved) -> WriteResult.confirmed(BlobOperations.etag(response), false),
                (end, unresolved) -> operations.settle(
                        SET_METADATA, name, end, unresolved, ofMetadata(id, metadata, etag, unresolved)));
    }

    private static BlobWriteVerifier<WriteResult> ofMetadata(
            @Nullable String id, Map<String, String> metadata, String etag, UnresolvedAttempts unresolved) {
        return id == null
                ? BlobWriteVerifier.ofContent(
                        seen -> metadata.equals(seen.info().metadata()),
                        etag,
                        unresolved,
                        seen -> WriteResult.recovered("", Evidence.CONTENT, false))
                : BlobWriteVerifier.ofMarker(
                        id, etag, unresolved, seen -> WriteResult.recovered("", Evidence.MARKER, false));
    }
}

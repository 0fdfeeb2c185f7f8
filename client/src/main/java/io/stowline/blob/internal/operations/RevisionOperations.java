package io.stowline.blob.internal.operations;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.CopyStatusType;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import io.stowline.blob.internal.recovery.BlobDeletion;
import io.stowline.blob.internal.request.BlobRequests;
import io.stowline.error.ServerErrorException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.DirectRequest;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Snapshots and versions of blobs: kept states, which do not change. What they give arrives on an I/O thread. Thread-safe. */
public record RevisionOperations(BlobContext context) {

    private static final Duration PAUSE = Duration.ofMillis(500);

    /**
     * Keeps the present state of a blob.
     *
     * @return the id of the snapshot
     */
    public Mono<String> snapshot(String name) {
        return context.named(
                name,
                () -> context.call(
                        context.write("snapshot", context.resource(name), BlobContext.MADE),
                        () -> context.blob(name).createSnapshotWithResponse(null, null),
                        response -> response.getValue().getSnapshotId()));
    }

    /**
     * Returns the kept states of a blob that a listing shows.
     *
     * @return entries that are a snapshot or a version, the oldest first
     */
    public Flux<BlobItem> list(String name) {
        Objects.requireNonNull(name, "name");
        return Flux.defer(() -> {
            NameRules.blob(name);
            return new BlobListing(context).revisions(name).filter(item -> id(item) != null);
        });
    }

    /**
     * Returns the kept state that an entry of a listing is, or {@code null} for the present state of a blob without
     * versions.
     */
    public static @Nullable RevisionId id(BlobItem item) {
        if (item.getSnapshot() != null && !item.getSnapshot().isEmpty()) {
            return new RevisionId(RevisionId.SNAPSHOT, item.getSnapshot());
        }
        return item.getVersionId() == null || item.getVersionId().isEmpty()
                ? null
                : new RevisionId(RevisionId.VERSION, item.getVersionId());
    }

    /** Makes the present state of a blob a copy of the kept one that this scope reads. */
    public Mono<Void> promote(String name) {
        return context.named(name, () -> {
            RevisionId kept = Objects.requireNonNull(context.revision(), "revision");
            BlobContext present = new BlobContext(context.service(), context.container(), context.calls(), null);
            DirectRequest source =
                    new DirectRequest(HttpMethod.GET, present.url(name) + "?" + kept.query(), new HttpHeaders(), null);
            Deadline deadline = context.deadline();
            return context.asOperation(
                    context.write("promote", context.resource(name), BlobContext.DELETED),
                    context.service()
                            .pipeline()
                            .authorized(source)
                            .flatMap(proved -> context.calls()
                                    .direct()
                                    .observed(
                                            "promote",
                                            () -> context.resource(name),
                                            () -> new BlobRequests(present, "promote", name)
                                                    .copy(DirectRequest.address(proved), context.retry()),
                                            (status, exchange) -> status))
                            .flatMap(status -> status.equals("success")
                                    ? Mono.<Void>empty()
                                    : copied(new BlobOperations(present), name, deadline)));
        });
    }

    private Mono<Void> copied(BlobOperations present, String name, Deadline deadline) {
        return FatalErrors.handingOver(Mono.delay(PAUSE, context.service().timer()))
                .flatMap(waited -> present.head(
                        "promote",
                        name,
                        null,
                        deadline,
                        response -> new CopiedBlob(response.getValue(), FailureFacts.Ids.of(response))))
                .flatMap(seen -> seen.blob.getCopyStatus() == CopyStatusType.PENDING
                        ? copied(present, name, deadline)
                        : ended(name, seen.blob, seen.ids));
    }

    /**
     * The target of a copy.
     *
     * @param ids of the request that read it
     */
    private record CopiedBlob(BlobProperties blob, FailureFacts.Ids ids) {}

    private Mono<Void> ended(String name, BlobProperties blob, FailureFacts.Ids ids) {
        if (blob.getCopyStatus() == CopyStatusType.SUCCESS) {
            return Mono.empty();
        }
        return Mono.error(new ServerErrorException(
                FailureFacts.of("promote", context.resource(name))
                        .tried(1, 0, Duration.ZERO)
                        .ids(ids)
                        .because(
                                "the service ended the copy as " + blob.getCopyStatus() + ": "
                                        + blob.getCopyStatusDescription(),
                                "the present state of the blob may be empty; promote it again"),
                null));
    }

    /** Removes the kept state that this scope reads. */
    public Mono<WriteResult> delete(String name) {
        return deleted(name, null);
    }

    /** Removes a blob and all its snapshots. */
    public Mono<WriteResult> deleteWithSnapshots(String name) {
        return deleted(name, DeleteSnapshotsOptionType.INCLUDE);
    }

    private Mono<WriteResult> deleted(String name, @Nullable DeleteSnapshotsOptionType snapshots) {
        return context.named(name, () -> {
            BlobDeletion deletion = new BlobDeletion(context, name, null);
            return context.settled(
                    context.write("delete", context.resource(name), BlobContext.DELETED),
                    () -> context.blob(name).deleteWithResponse(snapshots, null),
                    deletion::confirmed,
                    deletion::settle);
        });
    }

    /** Removes all snapshots of a blob, which stays. */
    public Mono<WriteResult> deleteSnapshots(String name) {
        return context.named(
                name,
                () -> context.changed(
                        context.write("deleteSnapshots", context.resource(name), BlobContext.DELETED),
                        () -> context.blob(name).deleteWithResponse(DeleteSnapshotsOptionType.ONLY, null),
                        response -> ""));
    }

    /** Brings back what was deleted and is still kept: the blob, and its snapshots. */
    public Mono<Void> undelete(String name) {
        return context.named(name, () -> context.call(
                        context.write("undelete", context.resource(name), BlobContext.CHANGED),
                        () -> context.blob(name).undeleteWithResponse())
                .then());
    }
}

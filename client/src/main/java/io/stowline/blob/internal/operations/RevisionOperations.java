package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import io.stowline.blob.internal.recovery.BlobDeletion;
import io.stowline.blob.internal.request.ListedElement;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.outcome.WriteResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Snapshots and versions of blobs: kept states, which do not change. What they give arrives on an I/O thread. Thread-safe. */
public record RevisionOperations(BlobContext context) {

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
    public Flux<ListedElement> list(String name) {
        Objects.requireNonNull(name, "name");
        return Flux.defer(() -> {
            BlobNameRules.check(name);
            return new BlobListing(context).revisions(name).filter(element -> id(element) != null);
        });
    }

    /**
     * Returns the kept state that an entry of a listing is, or {@code null} for the present state of a blob without
     * versions.
     */
    public static @Nullable RevisionId id(ListedElement element) {
        String snapshot = element.snapshot();
        if (snapshot != null) {
            return new RevisionId(RevisionId.SNAPSHOT, snapshot);
        }
        String version = element.versionId();
        return version == null ? null : new RevisionId(RevisionId.VERSION, version);
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

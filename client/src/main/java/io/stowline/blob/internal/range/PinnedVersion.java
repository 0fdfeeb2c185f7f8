package io.stowline.blob.internal.range;

import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.CopyStatusType;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.ConflictException;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.sdk.MissingFactException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The version of a blob that all ranges of one download are of. An append blob may grow while it is read: its bytes up to the length first
 * seen stay as they are, so its version is the blob that was created then. Immutable.
 *
 * @param info the blob as the first response described it
 * @param created when the blob was created, or {@code null} if the response lacks it
 */
public record PinnedVersion(BlobInfo info, @Nullable Instant created) {

    /** Returns a version by a response of the SDK. */
    static PinnedVersion of(BlobInfo info, @Nullable OffsetDateTime created) {
        MissingFactException.needed(info.etag().isEmpty() ? null : info.etag(), "ETag");
        return new PinnedVersion(info, created == null ? null : created.toInstant());
    }

    /**
     * Returns this version, if its content is complete. A copy in progress shows a blob without content, or a part of
     * it; one that failed or was aborted leaves an empty blob, and a blob with content was written since.
     *
     * @param verb the verb that reads it
     * @param status the status of the response that described it
     * @param ids the ids of that response
     */
    PinnedVersion readable(BlobContext context, String verb, int status, FailureFacts.Ids ids) {
        CopyStatusType copy = info.copyStatus();
        if (copy == null || copy == CopyStatusType.SUCCESS || (copy != CopyStatusType.PENDING && info.size() > 0)) {
            return this;
        }
        boolean pending = copy == CopyStatusType.PENDING;
        throw new ConflictException(
                FailureFacts.of(verb, context.resource(info.name()))
                        .status(status, null)
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .because(
                                "the blob is the target of a server-side copy, which is " + copy
                                        + ": its content is not there",
                                pending
                                        ? "read it once BlobInfo.copyStatus() is success"
                                        : "copy or upload the blob again; a retry cannot help"),
                null);
    }

    private boolean grows() {
        return info.type() == BlobType.APPEND_BLOB && created != null;
    }

    /** Returns the condition of further ranges, or {@code null} for a blob that may grow. */
    @Nullable
    String ifMatch() {
        return grows() ? null : info.etag();
    }

    /** Returns whether a response to a range without condition is of the same blob, which has lost nothing since. */
    boolean includes(long size, @Nullable Instant otherCreated) {
        return !grows() || (Objects.equals(created, otherCreated) && size >= info.size());
    }

    /**
     * Returns the version of an earlier download if this present one still is it, or has only grown since; or {@code
     * null}.
     */
    @Nullable
    public PinnedVersion ofResumed(String earlierEtag, long earlierLength, @Nullable String earlierCreated) {
        if (info.etag().equals(earlierEtag) && info.size() == earlierLength) {
            return this;
        }
        boolean grown = created != null
                && created.toString().equals(earlierCreated)
                && ifMatch() == null
                && info.size() >= earlierLength;
        return grown ? new PinnedVersion(as(earlierLength, earlierEtag), created) : null;
    }

    /** Returns this version with the length of another response. */
    PinnedVersion sized(long length) {
        return new PinnedVersion(as(length, info.etag()), created);
    }

    private BlobInfo as(long length, String etag) {
        return new BlobInfo(
                info.name(),
                length,
                etag,
                info.lastModified(),
                info.type(),
                info.headers(),
                info.contentMd5(),
                info.metadata(),
                info.tier(),
                info.versionId(),
                info.copyStatus(),
                info.origin());
    }
}

package io.stowline.blob;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Objects;

/**
 * The result of an upload: the new ETag, the outcome, and the evidence for it.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag, for a condition of a later call; empty where the response was lost and the blob has been changed since
 * @param lastModified when it was written, by the service's clock, or 1970-01-01 where the response does not say; where the ETag is empty,
 *     when it was changed since
 * @param size its bytes
 * @param outcome whether the service confirmed it, or it was found out after a lost response
 * @param evidence how that is known
 * @param mayHaveRepeated whether, because a response was lost, it may have taken effect more than once, or may yet do so for some seconds:
 *     what another client has written in between may be lost, and a blob that was removed may be there again. Never where it was for one
 *     version
 */
public record UploadResult(
        String etag, Instant lastModified, long size, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, or the empty string
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     * @param outcome whether the service confirmed it, or it was found out after a lost response
     * @param evidence how that is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     */
    public UploadResult {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * Returns an upload that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static UploadResult confirmed(String etag, Instant lastModified, long size, boolean mayHaveRepeated) {
        return new UploadResult(etag, lastModified, size, WriteOutcome.CONFIRMED, Evidence.RESPONSE, mayHaveRepeated);
    }

    /**
     * Returns an upload that the read-back found carried out.
     *
     * @param etag the blob's ETag if it is certain to be that of this upload, otherwise the empty string
     * @param lastModified when the blob was written last, by the service's clock
     * @param size the bytes that were uploaded
     * @param evidence how it is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static UploadResult recovered(
            String etag, Instant lastModified, long size, Evidence evidence, boolean mayHaveRepeated) {
        return new UploadResult(etag, lastModified, size, WriteOutcome.RECOVERED, evidence, mayHaveRepeated);
    }
}

package io.stowline.blob;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Objects;

/**
 * The result of an upload or an append: the new ETag, the place of the written bytes, the outcome, and the evidence for it.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag, for a condition of a later call; empty where the response was lost and the blob may have been changed
 *     since
 * @param lastModified when it was written, by the service's clock, or 1970-01-01 where the response lacks it; where the ETag is empty,
 *     when it was changed since
 * @param offset where in the blob the written bytes begin: 0 of an upload
 * @param end where they end, which is the blob's length then
 * @param outcome whether the service confirmed it, or it was found out after a lost response
 * @param evidence how that is known; of an append {@link Evidence#CONTENT} after a lost response: it proves this append for the only writer
 *     of a blob, while one of several may have appended the same bytes
 * @param mayHaveRepeated whether, because a response was lost, it may have taken effect more than once, or may yet do so for some seconds:
 *     what another client has written in between may be lost, and a blob that was removed may be there again. Never where it was for one
 *     version, nor of an append, which is for one position
 */
public record BlobWriteResult(
        String etag,
        Instant lastModified,
        long offset,
        long end,
        WriteOutcome outcome,
        Evidence evidence,
        boolean mayHaveRepeated)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, or the empty string
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the written bytes begin
     * @param end where they end
     * @param outcome whether the service confirmed it, or it was found out after a lost response
     * @param evidence how that is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     */
    public BlobWriteResult {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * Returns the length of the blob after the write.
     *
     * @return its bytes
     */
    public long size() {
        return end;
    }

    /**
     * Returns an upload that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return its result
     */
    public static BlobWriteResult confirmed(String etag, Instant lastModified, long size, boolean mayHaveRepeated) {
        return new BlobWriteResult(
                etag, lastModified, 0, size, WriteOutcome.CONFIRMED, Evidence.RESPONSE, mayHaveRepeated);
    }

    /**
     * Returns an upload that the read-back found carried out.
     *
     * @param etag the blob's ETag if it is certain to be that of this upload, otherwise the empty string
     * @param lastModified when the blob was written last, by the service's clock
     * @param size the bytes that were uploaded
     * @param evidence how it is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return its result
     */
    public static BlobWriteResult recovered(
            String etag, Instant lastModified, long size, Evidence evidence, boolean mayHaveRepeated) {
        return new BlobWriteResult(etag, lastModified, 0, size, WriteOutcome.RECOVERED, evidence, mayHaveRepeated);
    }

    /**
     * Returns an append that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end
     * @return its result
     */
    public static BlobWriteResult appended(String etag, Instant lastModified, long offset, long end) {
        return new BlobWriteResult(etag, lastModified, offset, end, WriteOutcome.CONFIRMED, Evidence.RESPONSE, false);
    }

    /**
     * Returns an append whose bytes were found in their place.
     *
     * @param lastModified when the blob was written last, by the service's clock
     * @param offset where in the blob the bytes begin
     * @param end where they end
     * @return its result
     */
    public static BlobWriteResult recoveredAppend(Instant lastModified, long offset, long end) {
        return new BlobWriteResult("", lastModified, offset, end, WriteOutcome.RECOVERED, Evidence.CONTENT, false);
    }
}

package io.stowline.blob;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Objects;

/**
 * The result of an append. The bytes are stored once, whatever responses were lost, since an append is bound to one position of the blob.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag; empty where the response was lost, for the blob may have been changed since
 * @param lastModified when it was written, by the service's clock, or 1970-01-01 where the response does not say; where the ETag is empty,
 *     when the blob was changed last
 * @param offset where in the blob the appended bytes begin
 * @param end where they end, which is the blob's length then
 * @param outcome whether the service confirmed it, or it was found out after a lost response
 * @param evidence how that is known: {@link Evidence#CONTENT} after a lost response, for what was found there are these bytes. For the only
 *     writer of a blob it proves that this append wrote them; if there are others, one of them may have appended the same
 */
public record AppendResult(
        String etag, Instant lastModified, long offset, long end, WriteOutcome outcome, Evidence evidence)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, or the empty string
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end, which is the blob's length then
     * @param outcome whether the service confirmed it, or it was found out after a lost response
     * @param evidence how that is known
     */
    public AppendResult {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * Returns false: an append is for one position of the blob, which is taken once.
     *
     * @return false
     */
    @Override
    public boolean mayHaveRepeated() {
        return false;
    }

    /**
     * Returns an append that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end
     * @return what it left behind
     */
    public static AppendResult confirmed(String etag, Instant lastModified, long offset, long end) {
        return new AppendResult(etag, lastModified, offset, end, WriteOutcome.CONFIRMED, Evidence.RESPONSE);
    }

    /**
     * Returns an append whose bytes were found in their place.
     *
     * @param lastModified when the blob was written last, by the service's clock
     * @param offset where in the blob the bytes begin
     * @param end where they end
     * @return what it left behind
     */
    public static AppendResult recovered(Instant lastModified, long offset, long end) {
        return new AppendResult("", lastModified, offset, end, WriteOutcome.RECOVERED, Evidence.CONTENT);
    }
}

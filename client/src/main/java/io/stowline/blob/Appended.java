package io.stowline.blob;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.Outcome;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Objects;

/**
 * What an append left behind, and how that is known. It is there once, whatever answers were lost, for it was for one position of the
 * blob.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag; empty where the answer was lost, for the blob may have been changed since
 * @param lastModified when it was written, by the service's clock; where the ETag is empty, when the blob was changed last
 * @param offset where in the blob the appended bytes begin
 * @param end where they end, which is the blob's length then
 * @param outcome whether the service confirmed it, or it was found out after a lost answer
 * @param evidence how that is known: {@link Evidence#CONTENT} after a lost answer, for what was found there are these bytes. For the only
 *     writer of a blob it proves that this append wrote them; if there are others, one of them may have appended the same
 */
public record Appended(String etag, Instant lastModified, long offset, long end, Outcome outcome, Evidence evidence)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, or the empty string
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end, which is the blob's length then
     * @param outcome whether the service confirmed it, or it was found out after a lost answer
     * @param evidence how that is known
     */
    public Appended {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * Never: an append is for one position of the blob, and that is taken once.
     *
     * @return false
     */
    @Override
    public boolean repeated() {
        return false;
    }

    /**
     * An append that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param offset where in the blob the appended bytes begin
     * @param end where they end
     * @return what it left behind
     */
    public static Appended confirmed(String etag, Instant lastModified, long offset, long end) {
        return new Appended(etag, lastModified, offset, end, Outcome.CONFIRMED, Evidence.ANSWER);
    }

    /**
     * An append whose bytes were found in their place.
     *
     * @param lastModified when the blob was written last, by the service's clock
     * @param offset where in the blob the bytes begin
     * @param end where they end
     * @return what it left behind
     */
    public static Appended recovered(Instant lastModified, long offset, long end) {
        return new Appended("", lastModified, offset, end, Outcome.RECOVERED, Evidence.CONTENT);
    }
}

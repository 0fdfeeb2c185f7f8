package io.stowline.blob;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.Outcome;
import io.stowline.outcome.WriteResult;
import java.time.Instant;
import java.util.Objects;

/**
 * What an upload left behind, and how that is known.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the blob's new ETag, for a condition of a later call; empty where the answer was lost and the blob has been changed since
 * @param lastModified when it was written, by the service's clock; where the ETag is empty, when it was changed since
 * @param size its bytes
 * @param outcome whether the service confirmed it, or it was found out after a lost answer
 * @param evidence how that is known
 * @param repeated whether, because an answer was lost, it may have taken effect more than once, or may yet do so for some seconds: what
 *     somebody else has written in between may be lost, and a blob that somebody has removed may be there again. Never where it
 *     was for one version
 */
public record Uploaded(
        String etag, Instant lastModified, long size, Outcome outcome, Evidence evidence, boolean repeated)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the blob's new ETag, or the empty string
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     * @param outcome whether the service confirmed it, or it was found out after a lost answer
     * @param evidence how that is known
     * @param repeated whether it may have taken effect more than once
     */
    public Uploaded {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(lastModified, "lastModified");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * An upload that the service confirmed.
     *
     * @param etag the blob's new ETag
     * @param lastModified when it was written, by the service's clock
     * @param size its bytes
     * @param repeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static Uploaded confirmed(String etag, Instant lastModified, long size, boolean repeated) {
        return new Uploaded(etag, lastModified, size, Outcome.CONFIRMED, Evidence.ANSWER, repeated);
    }

    /**
     * An upload that was found to have been carried out.
     *
     * @param etag the blob's ETag if it is certain to be that of this upload, otherwise the empty string
     * @param lastModified when the blob was written last, by the service's clock
     * @param size the bytes that were uploaded
     * @param evidence how it is known
     * @param repeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static Uploaded recovered(
            String etag, Instant lastModified, long size, Evidence evidence, boolean repeated) {
        return new Uploaded(etag, lastModified, size, Outcome.RECOVERED, evidence, repeated);
    }
}

package io.stowline.table;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import java.util.Objects;

/**
 * The result of a write: the new ETag, the outcome, and the evidence for it.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the entity's new ETag, to be sent back unchanged with a conditional update; empty after a deletion, and where a
 *     recovered write may not be the last one of the entity
 * @param outcome whether the service confirmed it, or it was found out after a lost response
 * @param evidence how that is known
 * @param mayHaveRepeated whether, because a response was lost, it may have taken effect more than once, or may yet do so for some seconds:
 *     a write of another client in between may be lost, and an entity that another client has deleted may exist again
 */
public record EntityWriteResult(String etag, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
        implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the entity's new ETag, or the empty string
     * @param outcome whether the service confirmed it, or it was found out after a lost response
     * @param evidence how that is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     */
    public EntityWriteResult {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * Returns the result of a write that the service confirmed.
     *
     * @param etag the entity's new ETag, or the empty string after a deletion
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static EntityWriteResult confirmed(String etag, boolean mayHaveRepeated) {
        return new EntityWriteResult(etag, WriteOutcome.CONFIRMED, Evidence.RESPONSE, mayHaveRepeated);
    }

    /**
     * Returns the result of a write that a read-back has confirmed.
     *
     * @param etag the entity's ETag if it is certain to be that of this write, otherwise the empty string
     * @param evidence how that is known
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static EntityWriteResult recovered(String etag, Evidence evidence, boolean mayHaveRepeated) {
        return new EntityWriteResult(etag, WriteOutcome.RECOVERED, evidence, mayHaveRepeated);
    }

    /**
     * Returns the result of a deletion after which the entity does not exist.
     *
     * @param evidence whether the service confirmed it at the first attempt, or a read-back showed it after a lost response
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static EntityWriteResult absent(Evidence evidence, boolean mayHaveRepeated) {
        return new EntityWriteResult("", WriteOutcome.ABSENT, evidence, mayHaveRepeated);
    }
}

package io.stowline.table;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.Outcome;
import io.stowline.outcome.WriteResult;
import java.util.Objects;

/**
 * What a write left behind, and how that is known.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param etag the entity's new ETag, to be sent back unchanged with a conditional update; empty after a deletion, and where a
 *     recovered write may not be the last one of the entity
 * @param outcome whether the service confirmed it, or it was found out after a lost answer
 * @param evidence how that is known
 * @param repeated whether, because an answer was lost, it may have taken effect more than once, or may yet do so for some seconds: a
 *     write of somebody else in between may be lost, and an entity that somebody has removed may be there again
 */
public record Written(String etag, Outcome outcome, Evidence evidence, boolean repeated) implements WriteResult {

    /**
     * Checks that everything is there.
     *
     * @param etag the entity's new ETag, or the empty string
     * @param outcome whether the service confirmed it, or it was found out after a lost answer
     * @param evidence how that is known
     * @param repeated whether it may have taken effect more than once
     */
    public Written {
        Objects.requireNonNull(etag, "etag");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(evidence, "evidence");
    }

    /**
     * A write that the service confirmed.
     *
     * @param etag the entity's new ETag, or the empty string after a deletion
     * @param repeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static Written confirmed(String etag, boolean repeated) {
        return new Written(etag, Outcome.CONFIRMED, Evidence.ANSWER, repeated);
    }

    /**
     * A write that was found to have been carried out.
     *
     * @param etag the entity's ETag if it is certain to be that of this write, otherwise the empty string
     * @param evidence how that is known
     * @param repeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static Written recovered(String etag, Evidence evidence, boolean repeated) {
        return new Written(etag, Outcome.RECOVERED, evidence, repeated);
    }

    /**
     * A deletion after which there is no such entity.
     *
     * @param evidence whether the service said so at the first attempt, or it was found out after a lost answer
     * @param repeated whether it may have taken effect more than once
     * @return what it left behind
     */
    public static Written absent(Evidence evidence, boolean repeated) {
        return new Written("", Outcome.ABSENT, evidence, repeated);
    }
}

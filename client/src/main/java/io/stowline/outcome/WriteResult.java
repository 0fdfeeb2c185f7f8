package io.stowline.outcome;

/**
 * The result of a write that did not fail: the new ETag, the outcome, and the evidence for it. Writes of one entity, blob or message and
 * changes of metadata return one; what is larger, such as the removal of a container, returns none.
 *
 * <p>Results are immutable and safe to share between threads.
 */
public interface WriteResult {

    /**
     * Returns the result of a write that the service confirmed.
     *
     * @param etag the new ETag, or the empty string after a deletion
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return the result
     */
    static WriteResult confirmed(String etag, boolean mayHaveRepeated) {
        return new PlainWriteResult(etag, WriteOutcome.CONFIRMED, Evidence.RESPONSE, mayHaveRepeated);
    }

    /**
     * Returns the result of a write that a read-back has confirmed.
     *
     * @param etag the ETag if it is certain to be that of this write, otherwise the empty string
     * @param evidence the evidence for the outcome
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return the result
     */
    static WriteResult recovered(String etag, Evidence evidence, boolean mayHaveRepeated) {
        return new PlainWriteResult(etag, WriteOutcome.RECOVERED, evidence, mayHaveRepeated);
    }

    /**
     * Returns the result of a deletion after which there is nothing.
     *
     * @param evidence whether the service confirmed it at the first attempt, or a read-back showed it after a lost response
     * @param mayHaveRepeated whether it may have taken effect more than once
     * @return the result
     */
    static WriteResult absent(Evidence evidence, boolean mayHaveRepeated) {
        return new PlainWriteResult("", WriteOutcome.ABSENT, evidence, mayHaveRepeated);
    }

    /**
     * Returns the new ETag of what was written, to be sent back unchanged with a conditional write.
     *
     * @return the ETag; empty after a deletion, of what has no ETag, and where a recovered write may not be the last one
     */
    String etag();

    /**
     * Returns whether the service confirmed it, or it was found out after a lost response.
     *
     * @return the outcome
     */
    WriteOutcome outcome();

    /**
     * Returns the evidence for the outcome.
     *
     * @return the evidence
     */
    Evidence evidence();

    /**
     * Returns whether, because a response was lost, it may have taken effect more than once, or may yet do so for some seconds: a write of
     * another client in between may be lost, and what another client has deleted may exist again. Never true of a write for one version,
     * nor of a transaction that holds one: a version is replaced once only.
     *
     * @return whether a response was lost besides
     */
    boolean mayHaveRepeated();
}

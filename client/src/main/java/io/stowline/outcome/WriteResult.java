package io.stowline.outcome;

/**
 * The result of a write that did not fail: the new ETag, the outcome, and the evidence for it. Writes of one entity, blob or message and
 * changes of metadata return one; what is larger, such as the removal of a container, returns none.
 */
public interface WriteResult {

    /**
     * Returns the new ETag of what was written, for a condition of a later write.
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
     * Returns whether it may have taken effect more than once, or may yet do so. Never true of a write for one version, nor of a
     * transaction that holds one: a version is replaced once only.
     *
     * @return whether a response was lost besides
     */
    boolean mayHaveRepeated();
}

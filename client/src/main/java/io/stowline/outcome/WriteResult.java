package io.stowline.outcome;

/** The result of a write that did not fail: its outcome and the evidence for it. */
public interface WriteResult {

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

package io.stowline.outcome;

/** What is known of a write that did not fail, whatever it wrote. */
public interface WriteResult {

    /**
     * Whether the service confirmed it, or it was found out after a lost answer.
     *
     * @return the outcome
     */
    Outcome outcome();

    /**
     * How that is known.
     *
     * @return the evidence
     */
    Evidence evidence();

    /**
     * Whether it may have taken effect more than once, or may yet do so. Never true of a write for one version, nor of a transaction that
     * holds one: a version is replaced once only.
     *
     * @return whether an answer was lost besides
     */
    boolean repeated();
}

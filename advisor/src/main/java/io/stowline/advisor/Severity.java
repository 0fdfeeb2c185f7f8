package io.stowline.advisor;

/** The judgement of a practice, from the least to the gravest. */
public enum Severity {
    /** Traffic cannot show the practice, or the application has nothing that it concerns. */
    NOT_APPLICABLE,
    /** Fewer samples than a judgement takes. */
    NOT_ENOUGH_DATA,
    /** The practice is obeyed. */
    OK,
    /** The practice is broken, and obeying it makes the application faster or cheaper. */
    ADVICE,
    /** The practice is broken, and operations are slow, repeated or refused for it. */
    WARNING,
    /** The practice is broken, and operations fail for it. */
    ERROR;

    /**
     * Returns whether the practice is broken.
     *
     * @return whether it is {@link #ADVICE} or graver
     */
    public boolean isBroken() {
        return compareTo(ADVICE) >= 0;
    }
}

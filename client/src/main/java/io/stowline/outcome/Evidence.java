package io.stowline.outcome;

/** How it is known what became of a write. */
public enum Evidence {
    /** The service said so. */
    ANSWER,
    /**
     * What is stored equals what was sent. The state is as it should be; that this call brought it about, and not somebody else with
     * the same content, is not proved.
     */
    CONTENT,
    /** The mark of this very call was found in what is stored: this call wrote it. */
    MARKER
}

package io.stowline.outcome;

/** The evidence for the outcome of a write. */
public enum Evidence {
    /** The response of the service. */
    RESPONSE,
    /**
     * The stored content equals the sent content. The state is as it should be; another client with the same content may have written it.
     */
    CONTENT,
    /** The marker of this very call was found in the stored data: this call wrote it. */
    MARKER
}

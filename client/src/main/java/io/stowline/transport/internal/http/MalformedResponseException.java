package io.stowline.transport.internal.http;

import java.io.IOException;

/** An answer came that breaks the rules of HTTP, so that it cannot be read. */
public final class MalformedResponseException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * The refusal of an answer.
     *
     * @param what the rule that is broken, in the client's own words
     */
    public MalformedResponseException(String what) {
        super("the answer breaks the rules of HTTP: " + what);
    }
}

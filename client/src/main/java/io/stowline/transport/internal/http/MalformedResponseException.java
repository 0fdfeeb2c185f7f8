package io.stowline.transport.internal.http;

import java.io.IOException;

/** The failure of a response that breaks the rules of HTTP, so that it cannot be read. */
public final class MalformedResponseException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the refusal of a response.
     *
     * @param what the broken rule in words
     */
    public MalformedResponseException(String what) {
        super("the response breaks the rules of HTTP: " + what);
    }
}

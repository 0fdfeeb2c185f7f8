package io.stowline.testkit.internal.proxy;

import java.io.IOException;

/** The refusal of a body that does not fit into the proxy. */
final class OversizedBodyException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String text;

    OversizedBodyException(String message) {
        super(message);
        text = message;
    }

    @Override
    public String getMessage() {
        return text;
    }
}

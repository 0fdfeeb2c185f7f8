package io.stowline.spring.boot.ring;

import org.jspecify.annotations.Nullable;

/** Properties that do not make a ring. */
final class RingConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    RingConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what to change, in the imperative. */
    String action() {
        return action;
    }
}

package io.stowline.spring.boot.listener;

import org.jspecify.annotations.Nullable;

/** A listener that cannot start as it is declared. */
final class ListenerConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    ListenerConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what to change, in the imperative. */
    String action() {
        return action;
    }
}

package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;

/** Properties or connection details that do not make a client. */
final class StowlineConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    StowlineConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what to change, in the imperative. */
    String action() {
        return action;
    }
}

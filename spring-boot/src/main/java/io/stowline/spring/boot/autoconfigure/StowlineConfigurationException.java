package io.stowline.spring.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

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

    /** An analyzer that names the property that is missing or contradicts another one. */
    static final class Analyzer extends AbstractFailureAnalyzer<StowlineConfigurationException> {

        /** Made by Spring Boot. */
        Analyzer() {}

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, StowlineConfigurationException cause) {
            return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
        }
    }
}

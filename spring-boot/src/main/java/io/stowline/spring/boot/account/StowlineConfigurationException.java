package io.stowline.spring.boot.account;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The failure of a configuration that makes nothing: a value of a property, properties that contradict one another, or a declaration in code. */
public final class StowlineConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    /**
     * Makes the failure without a cause.
     *
     * @param message the property or the declaration, its value and the reason
     * @param action the way out, in the imperative
     */
    public StowlineConfigurationException(String message, String action) {
        this(message, action, null);
    }

    /**
     * Makes the failure.
     *
     * @param message the property or the declaration, its value and the reason
     * @param action the way out, in the imperative
     * @param cause the cause, or {@code null}
     */
    public StowlineConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = Objects.requireNonNull(action, "action");
    }

    /**
     * Returns the way out.
     *
     * @return sentences in the imperative
     */
    public String action() {
        return action;
    }

    /** An analyzer that shows the message and the way out in place of the stack. */
    static final class Analyzer extends AbstractFailureAnalyzer<StowlineConfigurationException> {

        /** Made by Spring Boot. */
        Analyzer() {}

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, StowlineConfigurationException cause) {
            return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
        }
    }
}

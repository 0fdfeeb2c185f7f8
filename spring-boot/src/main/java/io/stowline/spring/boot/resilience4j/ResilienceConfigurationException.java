package io.stowline.spring.boot.resilience4j;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A configuration of Resilience4j that has no effect on a client. */
final class ResilienceConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    ResilienceConfigurationException(String message, String action) {
        super(message);
        this.action = action;
    }

    /** An analyzer that names the instance and the properties to set in its place. */
    static final class ResilienceAnalyzer extends AbstractFailureAnalyzer<ResilienceConfigurationException> {

        /** Made by Spring Boot. */
        ResilienceAnalyzer() {}

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, ResilienceConfigurationException cause) {
            return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action, cause);
        }
    }
}

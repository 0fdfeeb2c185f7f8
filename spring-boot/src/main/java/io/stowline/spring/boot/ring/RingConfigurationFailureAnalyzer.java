package io.stowline.spring.boot.ring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** An analyzer that names the property that makes no ring, the reason, and what to change. */
final class RingConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RingConfigurationException> {

    /** Made by Spring Boot. */
    RingConfigurationFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RingConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}

package io.stowline.spring.boot.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which property is missing or contradicts another one. */
final class StowlineConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<StowlineConfigurationException> {

    /** Made by Spring Boot. */
    StowlineConfigurationFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StowlineConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}

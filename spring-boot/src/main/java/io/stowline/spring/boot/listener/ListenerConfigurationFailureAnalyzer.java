package io.stowline.spring.boot.listener;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** An analyzer that names the bean and the method of a listener that cannot start, the reason, and what to change. */
final class ListenerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ListenerConfigurationException> {

    /** Made by Spring Boot. */
    ListenerConfigurationFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ListenerConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}

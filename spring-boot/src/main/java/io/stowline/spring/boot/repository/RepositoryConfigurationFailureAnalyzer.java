package io.stowline.spring.boot.repository;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** An analyzer that names the method of a repository that cannot be derived, its query class, and what to write in its place. */
final class RepositoryConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<RepositoryConfigurationException> {

    /** Made by Spring Boot. */
    RepositoryConfigurationFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RepositoryConfigurationException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}

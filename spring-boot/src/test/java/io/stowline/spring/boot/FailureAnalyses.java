package io.stowline.spring.boot;

import java.util.List;
import java.util.Objects;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** The analyses of a failed start by the analyzers of the starter, as Spring Boot finds them. */
public final class FailureAnalyses {

    private FailureAnalyses() {}

    /** Returns the analysis that Spring Boot shows. */
    public static FailureAnalysis first(Throwable failure) {
        Objects.requireNonNull(failure, "the context has not failed");
        return all(failure).stream().findFirst().orElseThrow(() -> new AssertionError("no analysis", failure));
    }

    /** Returns all analyses in the order of the analyzers. */
    public static List<FailureAnalysis> all(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, (type, name, error) -> {})
                .stream()
                .filter(analyzer -> analyzer.getClass().getName().startsWith("io.stowline."))
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .toList();
    }
}

package io.stowline.spring.boot.ring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** An analyzer that names the properties to set when a bean needs a ring and none is configured. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class NoRingFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    /** The module of this class is optional. */
    private static final String RING = "io.stowline.ring.StowlineRing";

    /** Made by Spring Boot. */
    NoRingFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        if (cause instanceof NoUniqueBeanDefinitionException
                || cause.getResolvableType() == null
                || !cause.getResolvableType().toClass().getName().equals(RING)) {
            return null;
        }
        return new FailureAnalysis(
                "A bean needs a ring of storage accounts (StowlineRing), but no ring is configured.", """
                    Set the accounts of the ring:
                        - 'stowline.accounts.<name>' with the connection of each account
                        - 'stowline.ring.accounts' with the names of these accounts\
                    """, cause);
    }
}

package io.stowline.service;

import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of {@link Cors}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Thread-safe.
 */
public interface ReactiveCors {

    /**
     * Returns the service that has the rules.
     *
     * @return the service
     */
    ServiceType service();

    /**
     * Reads the rules; see {@link Cors#rules}.
     *
     * @return the rules
     */
    Mono<List<CorsRule>> rules();

    /**
     * Replaces all rules; see {@link Cors#set(List)}.
     *
     * @param rules at most 5 rules
     * @return the outcome
     */
    Mono<WriteResult> set(List<CorsRule> rules);

    /**
     * Replaces all rules by one; see {@link Cors#set(UnaryOperator)}.
     *
     * @param rule gets a rule with a {@code maxAge} of one hour
     * @return the outcome
     */
    default Mono<WriteResult> set(UnaryOperator<CorsRule.Builder> rule) {
        Objects.requireNonNull(rule, "rule");
        return set(List.of(rule.apply(CorsRule.builder()).build()));
    }

    /**
     * Removes all rules; see {@link Cors#clear}.
     *
     * @return the outcome
     */
    default Mono<WriteResult> clear() {
        return set(List.of());
    }
}

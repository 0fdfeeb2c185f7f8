package io.stowline.service;

import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The CORS rules of a service. They hold for the whole service, so that all applications of an account share them. Thread-safe.
 *
 * <p>All methods wait. A set is repeated after a lost response, since the second one changes nothing more. If no response comes at all, the
 * rules are read back: rules that are as they were to be make a result that is {@code RECOVERED}, others an {@code OutcomeUnknownException}.
 */
public interface Cors {

    /**
     * Returns the non-blocking form of these rules.
     *
     * @return the reactive face
     */
    ReactiveCors reactive();

    /**
     * Returns the service that has the rules.
     *
     * @return the service
     */
    ServiceType service();

    /**
     * Reads the rules.
     *
     * @return the rules in the order in which the service tries them; an empty list if CORS is off
     */
    List<CorsRule> rules();

    /**
     * Replaces all rules. Every other property of the service stays as it is. Rules of others that were set in between are lost, since the
     * service has no condition for them.
     *
     * @param rules at most 5 rules, tried in this order; an empty list switches CORS off
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException naming the rule, its value and the limit of the service; nothing is sent
     */
    WriteResult set(List<CorsRule> rules);

    /**
     * Replaces all rules by one.
     *
     * @param rule gets a rule with a {@code maxAge} of one hour
     * @return the outcome, without an ETag
     * @throws IllegalArgumentException naming the value and the limit of the service; nothing is sent
     */
    default WriteResult set(UnaryOperator<CorsRule.Builder> rule) {
        Objects.requireNonNull(rule, "rule");
        return set(List.of(rule.apply(CorsRule.builder()).build()));
    }

    /**
     * Removes all rules, which switches CORS off: browsers refuse the service to pages of other origins.
     *
     * @return the outcome, without an ETag
     */
    default WriteResult clear() {
        return set(List.of());
    }
}

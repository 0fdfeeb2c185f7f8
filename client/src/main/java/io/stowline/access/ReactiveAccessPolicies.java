package io.stowline.access;

import io.stowline.outcome.WriteResult;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * The stored access policies of one container, queue or table, without blocking; see {@link AccessPolicies}. Nothing is sent before a subscription.
 * Thread-safe.
 *
 * @param <B> the builder of signatures for the same resource, whose permissions and times describe a policy
 */
public interface ReactiveAccessPolicies<B extends SasBuilder<?, ?>> {

    /**
     * Reads all policies.
     *
     * @return the policies, none if there are none
     */
    Mono<List<AccessPolicy>> list();

    /**
     * Describes a policy and sends nothing; see {@link AccessPolicies#policy}.
     *
     * @param id its identifier, 1 to 64 characters
     * @param settings names its permissions, its start and its end; it returns the builder
     * @return the policy
     * @throws IllegalArgumentException if the identifier is not allowed, or the settings have what only a signature carries, such as an address
     */
    AccessPolicy policy(String id, UnaryOperator<B> settings);

    /**
     * Sets one policy, new or changed, and keeps the others; see {@link AccessPolicies#set(String, UnaryOperator)}.
     *
     * @param id its identifier, 1 to 64 characters
     * @param settings names its permissions, its start and its end; it returns the builder
     * @return its result
     */
    default Mono<WriteResult> set(String id, UnaryOperator<B> settings) {
        return Mono.fromSupplier(() -> policy(id, settings)).flatMap(this::set);
    }

    /**
     * Sets one policy, new or changed, and keeps the others; see {@link AccessPolicies#set(AccessPolicy)}.
     *
     * @param policy the policy
     * @return its result
     */
    Mono<WriteResult> set(AccessPolicy policy);

    /**
     * Removes one policy, and with it all signatures made by it; keeps the others.
     *
     * @param id its identifier
     * @return false if there was none
     */
    Mono<Boolean> remove(String id);

    /**
     * Replaces all policies; see {@link AccessPolicies#replaceAll}.
     *
     * @param policies the policies, at most 5; an empty list removes all
     * @return its result
     */
    Mono<WriteResult> replaceAll(List<AccessPolicy> policies);
}

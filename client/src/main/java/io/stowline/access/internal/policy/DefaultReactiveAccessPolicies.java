package io.stowline.access.internal.policy;

import io.stowline.access.AccessPolicy;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.access.SasBuilder;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** {@link ReactiveAccessPolicies} that delivers the operations. */
public final class DefaultReactiveAccessPolicies<B extends SasBuilder<?, ?>> implements ReactiveAccessPolicies<B> {

    private final PolicyOperations operations;
    private final Supplier<B> builder;
    private final Callbacks callbacks;

    /**
     * Stands on the operations.
     *
     * @param operations the operations on the policies
     * @param builder begins a signature for the same resource, with {@link PolicyOperations#UNSIGNED} as its end
     * @param callbacks delivers the results
     */
    public DefaultReactiveAccessPolicies(PolicyOperations operations, Supplier<B> builder, Callbacks callbacks) {
        this.operations = operations;
        this.builder = builder;
        this.callbacks = callbacks;
    }

    private <R> Mono<R> delivered(Supplier<Mono<R>> work) {
        return callbacks.deliver(FatalErrors.ending(Mono.defer(work)));
    }

    @Override
    public Mono<List<AccessPolicy>> list() {
        return delivered(operations::list);
    }

    @Override
    public AccessPolicy policy(String id, UnaryOperator<B> settings) {
        return PolicyOperations.described(id, builder.get(), settings);
    }

    @Override
    public Mono<WriteResult> set(String id, UnaryOperator<B> settings) {
        return delivered(() -> operations.set(UserCode.call(() -> policy(id, settings))));
    }

    @Override
    public Mono<WriteResult> set(AccessPolicy policy) {
        return delivered(() -> operations.set(policy));
    }

    @Override
    public Mono<Boolean> remove(String id) {
        return delivered(() -> operations.remove(id));
    }

    @Override
    public Mono<WriteResult> replaceAll(List<AccessPolicy> policies) {
        return delivered(() -> operations.replaceAll(policies));
    }
}

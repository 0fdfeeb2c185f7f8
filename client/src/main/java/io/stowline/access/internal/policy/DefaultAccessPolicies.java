package io.stowline.access.internal.policy;

import io.stowline.access.AccessPolicies;
import io.stowline.access.AccessPolicy;
import io.stowline.access.SasBuilder;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** {@link AccessPolicies} that waits for the operations. */
public final class DefaultAccessPolicies<B extends SasBuilder<?, ?>> implements AccessPolicies<B> {

    private final PolicyOperations operations;
    private final Supplier<B> builder;

    /**
     * Stands on the operations.
     *
     * @param operations the operations on the policies
     * @param builder begins a signature for the same resource, with {@link PolicyOperations#UNSIGNED} as its end
     */
    public DefaultAccessPolicies(PolicyOperations operations, Supplier<B> builder) {
        this.operations = operations;
        this.builder = builder;
    }

    @Override
    public List<AccessPolicy> list() {
        return BlockingAwait.result(operations.list());
    }

    @Override
    public AccessPolicy policy(String id, UnaryOperator<B> settings) {
        return PolicyOperations.described(id, builder.get(), settings);
    }

    @Override
    public WriteResult set(AccessPolicy policy) {
        return BlockingAwait.result(operations.set(policy));
    }

    @Override
    public boolean remove(String id) {
        return BlockingAwait.result(operations.remove(id));
    }

    @Override
    public WriteResult replaceAll(List<AccessPolicy> policies) {
        return BlockingAwait.result(operations.replaceAll(policies));
    }
}

package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.EntityMerge;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link EntityMerge} that sends its {@link EntityMergePlan}. */
final class DefaultEntityMerge<T> implements EntityMerge<T> {

    private final EntityMergePlan<T> plan;

    DefaultEntityMerge(EntityMergePlan<T> plan) {
        this.plan = plan;
    }

    @Override
    public EntityMerge<T> set(String property, @Nullable Object value) {
        return new DefaultEntityMerge<>(plan.set(property, value));
    }

    @Override
    public EntityMerge<T> ifMatch(String etag) {
        return new DefaultEntityMerge<>(plan.ifMatch(etag));
    }

    @Override
    public WriteResult update() {
        return written(plan.update());
    }

    @Override
    public WriteResult insertOrMerge() {
        return written(plan.insertOrMerge());
    }

    private WriteResult written(EncodedOperation operation) {
        return Objects.requireNonNull(
                BlockingAwait.on(plan.context().write(operation)), "the merge ended without a result");
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}

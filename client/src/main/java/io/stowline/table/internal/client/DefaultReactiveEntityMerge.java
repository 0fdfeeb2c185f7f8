package io.stowline.table.internal.client;

import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveEntityMerge;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link ReactiveEntityMerge} that sends its {@link EntityMergePlan}. */
final class DefaultReactiveEntityMerge<T> implements ReactiveEntityMerge<T> {

    private final EntityMergePlan<T> plan;

    DefaultReactiveEntityMerge(EntityMergePlan<T> plan) {
        this.plan = plan;
    }

    @Override
    public ReactiveEntityMerge<T> set(String property, @Nullable Object value) {
        return new DefaultReactiveEntityMerge<>(plan.set(property, value));
    }

    @Override
    public ReactiveEntityMerge<T> ifMatch(String etag) {
        return new DefaultReactiveEntityMerge<>(plan.ifMatch(etag));
    }

    @Override
    public Mono<WriteResult> update() {
        return plan.context().deliver(plan::update);
    }

    @Override
    public Mono<WriteResult> insertOrMerge() {
        return plan.context().deliver(plan::insertOrMerge);
    }

    @Override
    public String toString() {
        return plan.toString();
    }
}

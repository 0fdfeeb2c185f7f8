package io.stowline.table;

import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link EntityMerge}: the same steps, which check at once, and ends that send with each subscription. Immutable
 * and thread-safe.
 *
 * @param <T> the table's type
 */
public final class ReactiveEntityMerge<T> {

    private final EntityMergePlan<T> plan;

    ReactiveEntityMerge(EntityMergePlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Sets a property; see {@link EntityMerge#set}.
     *
     * @param property a component, a path, or the property's name in the table
     * @param value its value
     * @return the merge that sets it, too
     * @throws IllegalArgumentException if the property or its value is not allowed
     */
    public ReactiveEntityMerge<T> set(String property, @Nullable Object value) {
        return new ReactiveEntityMerge<>(plan.set(property, value));
    }

    /**
     * Makes {@link #update} conditional on one version; see {@link EntityMerge#ifMatch}.
     *
     * @param etag the version
     * @return the conditional merge
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
     */
    public ReactiveEntityMerge<T> ifMatch(String etag) {
        return new ReactiveEntityMerge<>(plan.ifMatch(etag));
    }

    /**
     * Sets the properties of an entity that must be there; see {@link EntityMerge#update}.
     *
     * @return what was written
     */
    public Mono<EntityWriteResult> update() {
        return written(plan::update);
    }

    /**
     * Sets the properties of an entity, or makes it; see {@link EntityMerge#insertOrMerge}.
     *
     * @return what was written
     */
    public Mono<EntityWriteResult> insertOrMerge() {
        return written(plan::insertOrMerge);
    }

    private Mono<EntityWriteResult> written(Supplier<EncodedOperation> operation) {
        return plan.context().service().delivered(Mono.defer(() -> plan.context()
                .write(UserCode.call(operation))));
    }

    /** The table and the names of what is set. */
    @Override
    public String toString() {
        return plan.toString();
    }
}

package io.stowline.table;

import io.stowline.table.internal.EncodedOperation;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link Merge}: the same steps, which check at once, and ends that send with each subscription. Immutable
 * and thread-safe.
 *
 * @param <T> the table's type
 */
public final class ReactiveMerge<T> {

    private final MergePlan<T> plan;

    ReactiveMerge(MergePlan<T> plan) {
        this.plan = plan;
    }

    /**
     * Sets a property; see {@link Merge#set}.
     *
     * @param property a component, a path, or the property's name in the table
     * @param value its value
     * @return the merge that sets it, too
     * @throws IllegalArgumentException if the property or its value is not allowed
     */
    public ReactiveMerge<T> set(String property, @Nullable Object value) {
        return new ReactiveMerge<>(plan.set(property, value));
    }

    /**
     * Lets {@link #update} hold for one version only; see {@link Merge#ifMatch}.
     *
     * @param etag the version
     * @return the conditional merge
     * @throws IllegalArgumentException if the ETag is empty or cannot stand in a header
     */
    public ReactiveMerge<T> ifMatch(String etag) {
        return new ReactiveMerge<>(plan.ifMatch(etag));
    }

    /**
     * Sets the properties of an entity that must be there; see {@link Merge#update}.
     *
     * @return what was written
     */
    public Mono<Written> update() {
        return written(plan::update);
    }

    /**
     * Sets the properties of an entity, or makes it; see {@link Merge#insertOrMerge}.
     *
     * @return what was written
     */
    public Mono<Written> insertOrMerge() {
        return written(plan::insertOrMerge);
    }

    private Mono<Written> written(Supplier<EncodedOperation> operation) {
        return Mono.defer(() -> plan.scope().write(operation.get()))
                .publishOn(plan.scope().service().callbackScheduler());
    }

    /** The table and the names of what is set. */
    @Override
    public String toString() {
        return plan.toString();
    }
}

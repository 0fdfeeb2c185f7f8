package io.stowline.blob.internal.lease;

import io.stowline.blob.ReactiveBlobLease;
import io.stowline.blob.internal.base.BlobContext;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** {@link ReactiveBlobLease} that delivers the steps of its {@link LeaseHolder}. */
public record DefaultReactiveBlobLease(BlobContext context, LeaseHolder holder)
        implements ReactiveBlobLease, LeaseFace {

    /** The renewals begin with the delivery: a lease that no subscriber gets ends by itself. */
    public static Mono<ReactiveBlobLease> acquired(BlobContext context, @Nullable String name, Duration duration) {
        return context.delivered(new LeaseOperations(context, name).acquire(duration))
                .doOnNext(LeaseHolder::begin)
                .map(holder -> new DefaultReactiveBlobLease(context, holder));
    }

    @Override
    public String id() {
        return holder.id();
    }

    @Override
    public boolean isHeld() {
        return holder.isHeld();
    }

    @Override
    public Duration remaining() {
        return holder.remaining();
    }

    @Override
    public void onLost(Runnable task) {
        holder.onLost(Objects.requireNonNull(task, "task"));
    }

    @Override
    public Mono<Void> change() {
        return context.delivered(holder.change());
    }

    @Override
    public Mono<Void> release() {
        return context.delivered(holder.release());
    }

    @Override
    public Mono<Void> close() {
        return context.delivered(holder.releaseIfHeld());
    }

    @Override
    public String toString() {
        return "ReactiveBlobLease[" + holder.resource() + "]";
    }
}

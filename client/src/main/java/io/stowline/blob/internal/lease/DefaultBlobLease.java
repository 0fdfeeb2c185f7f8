package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobLease;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link BlobLease} that waits for the steps of its {@link LeaseHolder}. */
public record DefaultBlobLease(LeaseHolder holder) implements BlobLease, LeaseFace {

    /** The renewals begin here: a lease that an interrupted caller never gets ends by itself. */
    public static BlobLease acquired(BlobContext context, @Nullable String name, Duration duration) {
        LeaseHolder holder = BlockingAwait.result(new LeaseOperations(context, name).acquire(duration));
        holder.begin();
        return new DefaultBlobLease(holder);
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
    public void change() {
        BlockingAwait.on(holder.change());
    }

    @Override
    public void release() {
        BlockingAwait.onEvenIfInterrupted(holder.release());
    }

    @Override
    public void close() {
        BlockingAwait.onEvenIfInterrupted(holder.releaseIfHeld());
    }

    @Override
    public String toString() {
        return "BlobLease[" + holder.resource() + "]";
    }
}

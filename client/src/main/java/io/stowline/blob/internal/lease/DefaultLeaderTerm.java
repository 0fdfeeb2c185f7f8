package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderTerm;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveFencedBlob;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * {@link LeaderTerm} of one {@link Term}, for both faces.
 *
 * @param containers gives the context of a container's face
 */
record DefaultLeaderTerm(Term term, Function<Object, BlobContext> containers) implements LeaderTerm {

    @Override
    public long number() {
        return term.number();
    }

    @Override
    public boolean isCurrent() {
        return term.holder().isHeld();
    }

    @Override
    public Duration remaining() {
        return term.holder().remaining();
    }

    @Override
    public void onLost(Runnable task) {
        term.holder().onLost(Objects.requireNonNull(task, "task"));
    }

    @Override
    public FencedBlob fence(BlobContainer container, String name) {
        FencedWrites writes = new FencedWrites(term, containers.apply(container), name);
        return new DefaultFencedBlob(BlockingAwait.result(writes.fence()));
    }

    @Override
    public Mono<ReactiveFencedBlob> fence(ReactiveBlobContainer container, String name) {
        BlobContext context = containers.apply(container);
        return context.delivered(new FencedWrites(term, context, name).fence())
                .map(writes -> new DefaultReactiveFencedBlob(context, writes));
    }

    @Override
    public String toString() {
        return "LeaderTerm[" + number() + "]";
    }
}

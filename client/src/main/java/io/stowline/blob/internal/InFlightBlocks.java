package io.stowline.blob.internal;

import io.stowline.transport.internal.Await;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** The blocks on their way, never more than so many. Used by one thread, which waits; closing it cancels what is still on its way. */
final class InFlightBlocks implements AutoCloseable {

    private final List<CompletableFuture<?>> running = new ArrayList<>();
    private final int most;

    InFlightBlocks(int most) {
        this.most = most;
    }

    /** Starts it as soon as there is room; throws what one of those before it has failed with. */
    void add(Mono<?> block) {
        while (running.size() >= most) {
            awaitAny();
        }
        running.add(block.toFuture());
    }

    void awaitAll() {
        while (!running.isEmpty()) {
            awaitAny();
        }
    }

    private void awaitAny() {
        // Without its error, which nobody would take after an interrupt and Reactor would log; it is thrown below.
        CompletableFuture<Boolean> any = CompletableFuture.anyOf(running.toArray(CompletableFuture[]::new))
                .handle((done, error) -> true);
        Await.on(Mono.fromFuture(any, true));
        for (Iterator<CompletableFuture<?>> all = running.iterator(); all.hasNext(); ) {
            CompletableFuture<?> block = all.next();
            if (block.isDone()) {
                all.remove();
                Await.on(Mono.fromFuture(block));
            }
        }
    }

    @Override
    public void close() {
        running.forEach(block -> block.cancel(true));
    }
}

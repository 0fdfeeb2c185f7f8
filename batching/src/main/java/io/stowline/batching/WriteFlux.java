package io.stowline.batching;

import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Writes what a publisher gives, each subscription on its own. */
final class WriteFlux<K, I, C, R> extends Flux<TaggedResult<C, R>> {

    private final Batcher<K, I, R> batcher;
    private final Flux<? extends Tagged<K, I, C>> items;
    private final int window;

    private WriteFlux(Batcher<K, I, R> batcher, Publisher<? extends Tagged<K, I, C>> items, int window) {
        this.batcher = batcher;
        this.items = Flux.from(items);
        this.window = window;
    }

    static <K, I, C, R> Flux<TaggedResult<C, R>> of(
            Batcher<K, I, R> batcher, Publisher<? extends Tagged<K, I, C>> items, int window) {
        return onAssembly(new WriteFlux<>(batcher, items, window));
    }

    @Override
    public void subscribe(CoreSubscriber<? super TaggedResult<C, R>> downstream) {
        items.subscribe(new WriteRun<>(batcher, downstream, window));
    }
}

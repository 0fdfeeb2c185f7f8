package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.callback.WriteFlux;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The rules of Reactive Streams, checked by their own test kit with the callbacks on their own threads. */
@Test
@SuppressWarnings({"exports", "missing-explicit-ctor"}) // TestNG wants a public class, and the module exports no test
public class WriteAllTckTest extends PublisherVerification<TaggedResult<Long, String>> {

    /** Rule 3.17 is skipped by the kit for a publisher of fewer. */
    private static final long MAX = Integer.MAX_VALUE;

    private final BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                    new Item.Descriptor(), batch -> Mono.fromCallable(() -> Sent.allDone(batch)))
            .limits(100, 10_000, 50)
            .build();

    public WriteAllTckTest() {
        super(new TestEnvironment(20_000, 100, 10));
    }

    @Override
    public long maxElementsFromPublisher() {
        return MAX;
    }

    @Override
    public Publisher<TaggedResult<Long, String>> createPublisher(long elements) {
        Flux<TaggedItem<String, Item, Long>> items =
                Flux.range(0, (int) elements).map(i -> TaggedItem.of("k" + i % 3, Item.of("e" + i, i), (long) i));
        return WriteFlux.writeAll(lanes.batcher(TestSettings.defaults()), items, 64);
    }

    @Override
    public Publisher<TaggedResult<Long, String>> createFailedPublisher() {
        return WriteFlux.writeAll(
                lanes.batcher(TestSettings.defaults()),
                Flux.<TaggedItem<String, Item, Long>>error(new IllegalStateException("the source failed")));
    }
}

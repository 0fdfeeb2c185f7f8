package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.writer.Batcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import reactor.core.publisher.Mono;

@Label("bisecting")
class BisectPropertyTest {

    private static final int MAX = 100;

    @Property(tries = 400)
    @Label("BATCH-5: with any culprits at most 2n requests, and every item has exactly its own result")
    void isolatesEveryCulprit(
            @ForAll @IntRange(min = 1, max = MAX) int items,
            @ForAll @IntRange(min = 0, max = 100) int percentBad,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        Service service = new Service(new Random(seed), percentBad, MAX);
        List<Map.Entry<Item, String>> results = run(service, items);
        assertThat(service.requests).isLessThanOrEqualTo(2 * items);
        assertResults(service, results, items);
    }

    @Property(tries = 200)
    @Label("BATCH-3 BATCH-5: with culprits and refusals by size at most 2n requests")
    void halvesWhatIsTooLarge(
            @ForAll @IntRange(min = 1, max = MAX) int items,
            @ForAll @IntRange(min = 1, max = MAX) int maxItems,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        Service service = new Service(new Random(seed), 20, maxItems);
        List<Map.Entry<Item, String>> results = run(service, items);
        assertThat(service.requests).isLessThanOrEqualTo(2 * items);
        assertResults(service, results, items);
    }

    private static List<Map.Entry<Item, String>> run(Service service, int count) {
        List<Map.Entry<Item, String>> results = new ArrayList<>();
        List<Sent> first = new ArrayList<>();
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> {
                            if (first.isEmpty()) {
                                first.add(new Sent(batch));
                                return first.get(0).reply();
                            }
                            return Mono.just(service.respond(batch));
                        })
                .limits(MAX, 1_000_000, 0)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        Batcher<String, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        batcher.submit("k", Item.of("first"));
        for (int id = 0; id < count; id++) {
            Item item = Item.of("e" + id, id);
            batcher.submit("k", item)
                    .whenComplete((value, error) -> results.add(Map.entry(item, error == null ? "done" : "bad")));
        }
        first.get(0).done();
        assertThat(lanes.laneCount()).isZero();
        return results;
    }

    private static void assertResults(Service service, List<Map.Entry<Item, String>> results, int items) {
        assertThat(results).hasSize(items);
        for (Map.Entry<Item, String> result : results) {
            assertThat(result.getValue()).isEqualTo(service.isBad(result.getKey()) ? "bad" : "done");
        }
        assertThat(results.stream().map(Map.Entry::getKey)).doesNotHaveDuplicates();
    }

    /** A service with transactions: the first bad item of a request is named, and nothing of it takes effect. */
    private static final class Service {

        private final Random random;
        private final int percentBad;
        private final int maxItems;
        private final Map<Integer, Boolean> bad = new HashMap<>();
        private int requests;

        Service(Random random, int percentBad, int maxItems) {
            this.random = random;
            this.percentBad = percentBad;
            this.maxItems = maxItems;
        }

        boolean isBad(Item item) {
            return bad.computeIfAbsent(item.id(), id -> random.nextInt(100) < percentBad);
        }

        BatchReply<String> respond(DeliveryBatch<String, Item> batch) {
            requests++;
            if (batch.items().size() > maxItems) {
                return new BatchReply.TooLarge<>(new IllegalStateException("413"));
            }
            int culprit = culprit(batch.items());
            if (culprit < 0) {
                return Sent.allDone(batch);
            }
            List<ItemReply<String>> parts = new ArrayList<>();
            for (int i = 0; i < batch.items().size(); i++) {
                parts.add(
                        i == culprit
                                ? new ItemReply.ItemFailed<>(new IllegalStateException("409"))
                                : new ItemReply.Unsent<>());
            }
            return new BatchReply.PerItem<>(parts);
        }

        private int culprit(List<Item> items) {
            for (int i = 0; i < items.size(); i++) {
                if (isBad(items.get(i))) {
                    return i;
                }
            }
            return -1;
        }
    }
}

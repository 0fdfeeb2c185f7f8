package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.writer.Batcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

@Label("cutting")
class CuttingPropertyTest {

    @Property(tries = 400)
    @Label("BATCH-3 BATCH-4: within the limits, no entity twice, in order per entity, and as full as the order allows")
    void cutsEveryQueueRight(
            @ForAll @IntRange(min = 1, max = 10) int maxItems,
            @ForAll @IntRange(min = 100, max = 400) int maxBytes,
            @ForAll @IntRange(min = 1, max = 12) int entities,
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed) {
        BatchLimits limits = new BatchLimits(maxItems, maxBytes, 17);
        Rig rig = new Rig(given -> limits.on(given));
        Batcher<String, Item, String> batcher = rig.batcher();
        List<Item> items = items(seed, entities, limits);
        batcher.submit("k", Item.of("first", -1));
        items.forEach(item -> batcher.submit("k", item));
        List<List<Item>> batches = drain(rig);
        List<Item> left = new ArrayList<>(items);
        for (List<Item> batch : batches) {
            assertThat(batch).isEqualTo(expected(left, limits));
            left.removeAll(batch);
        }
        assertThat(left).isEmpty();
        assertOrderPerEntity(batches);
    }

    private static List<List<Item>> drain(Rig rig) {
        rig.next().done();
        List<List<Item>> batches = new ArrayList<>();
        while (!rig.isQuiet()) {
            Sent sent = rig.next();
            batches.add(sent.batch.items());
            sent.done();
        }
        return batches;
    }

    private static List<Item> items(long seed, int entities, BatchLimits limits) {
        Random random = new Random(seed);
        List<Item> items = new ArrayList<>();
        for (int id = 0; id < 1 + random.nextInt(60); id++) {
            String entity = "e" + random.nextInt(entities);
            int weight = 1 + random.nextInt(Math.min(3, limits.maxItems()));
            items.add(new Item(entity, random.nextInt(limits.room() + 1), id, false, weight));
        }
        return items;
    }

    /** The rule as it is written: a walk over the whole queue, which stops at the first item that does not fit. */
    private static List<Item> expected(List<Item> queue, BatchLimits limits) {
        List<Item> batch = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        long bytes = limits.envelopeBytes();
        int weight = 0;
        for (Item item : queue) {
            if (!seen.contains(item.entity())) {
                if (weight + item.weight() > limits.maxItems() || bytes + item.size() > limits.maxBytes()) {
                    break;
                }
                seen.add(item.entity());
                bytes += item.size();
                weight += item.weight();
                batch.add(item);
            }
        }
        return batch;
    }

    private static void assertOrderPerEntity(List<List<Item>> batches) {
        Map<String, Integer> last = new HashMap<>();
        for (List<Item> batch : batches) {
            for (Item item : batch) {
                Integer before = last.put(item.entity(), item.id());
                assertThat(before == null || before < item.id()).isTrue();
            }
        }
    }
}

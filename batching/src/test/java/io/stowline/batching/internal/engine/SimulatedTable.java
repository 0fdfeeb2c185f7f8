package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The content of a service, all writes being upserts. Responses get lost: such a write lands once more, or for the
 * first time, at any time before its horizon, for which the reply reserves its entities.
 */
final class SimulatedTable {

    private static final int MAX_HORIZON = 200;

    private final Random random;
    private final VirtualTimeScheduler time;
    private final Map<String, @Nullable Integer> state = new HashMap<>();
    private final Map<String, Set<@Nullable Integer>> possible = new HashMap<>();
    private final Map<String, Long> reserved = new HashMap<>();

    SimulatedTable(Random random, VirtualTimeScheduler time) {
        this.random = random;
        this.time = time;
    }

    /** Writes what a reply tells; the reply to be given may ask for a hold. */
    BatchReply<String> write(DeliveryBatch<String, Item> batch, BatchReply<String> reply) {
        int horizon = 1 + random.nextInt(MAX_HORIZON);
        boolean lost = random.nextInt(4) == 0;
        boolean unknown = apply(batch, reply, lost ? horizon : 0, horizon);
        if (!lost && !unknown) {
            return reply;
        }
        long until = now() + horizon;
        batch.items().forEach(item -> reserved.put(name(batch, item), until));
        return reply.reservedFor(Duration.ofMillis(horizon));
    }

    /** Writes all items, and loses no response. */
    BatchReply<String> writeAll(DeliveryBatch<String, Item> batch) {
        batch.items().forEach(item -> done(name(batch, item), item.id(), 0));
        return Sent.allDone(batch);
    }

    boolean isReserved(DeliveryBatch<String, Item> batch, Item item) {
        return reserved.getOrDefault(name(batch, item), 0L) > now();
    }

    /** Returns whether every entity is in the state of its last item, or may be where the outcome is unknown. */
    boolean isAsWritten() {
        return possible.keySet().stream().allMatch(this::isAsWritten);
    }

    boolean isAsWritten(DeliveryBatch<String, Item> batch, Item item) {
        return isAsWritten(name(batch, item));
    }

    private boolean isAsWritten(String name) {
        Set<@Nullable Integer> allowed = possible.get(name);
        return allowed == null || allowed.contains(state.get(name));
    }

    private boolean apply(DeliveryBatch<String, Item> batch, BatchReply<String> reply, int late, int horizon) {
        List<Item> items = batch.items();
        if (reply instanceof BatchReply.BatchUnknown) {
            items.forEach(item -> unknown(name(batch, item), item.id(), horizon));
            return true;
        }
        List<ItemReply<String>> replies;
        if (reply instanceof BatchReply.AllDone<String> all) {
            replies = all.perItem().replies();
        } else if (reply instanceof BatchReply.PerItem<String> parts) {
            replies = parts.replies();
        } else {
            return false;
        }
        boolean complete =
                replies.stream().allMatch(ItemReply.ItemDone.class::isInstance) && replies.size() == items.size();
        boolean unknown = false;
        for (int i = 0; i < Math.min(items.size(), replies.size()); i++) {
            String name = name(batch, items.get(i));
            if (replies.get(i) instanceof ItemReply.ItemUnknown) {
                unknown = true;
                unknown(name, items.get(i).id(), horizon);
            } else if (replies.get(i) instanceof ItemReply.ItemDone && (complete || !batch.atomic())) {
                done(name, items.get(i).id(), late);
            }
        }
        return unknown;
    }

    private void done(String name, int id, int late) {
        state.put(name, id);
        possible.put(name, new HashSet<>(Set.of(id)));
        if (late > 0) {
            land(name, id, late);
        }
    }

    private void unknown(String name, int id, int horizon) {
        possible.computeIfAbsent(name, absent -> new HashSet<>(Collections.singleton(null)))
                .add(id);
        if (random.nextBoolean()) {
            land(name, id, horizon);
        }
    }

    private void land(String name, int id, int horizon) {
        Disposable unused = time.schedule(() -> state.put(name, id), random.nextInt(horizon), TimeUnit.MILLISECONDS);
    }

    private long now() {
        return time.now(TimeUnit.MILLISECONDS);
    }

    private static String name(DeliveryBatch<String, Item> batch, Item item) {
        return batch.key() + " " + item.entity();
    }
}

package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The replies of a random sender. */
final class SimulatedReplies {

    private final Random random;

    SimulatedReplies(Random random) {
        this.random = random;
    }

    BatchReply<String> reply(DeliveryBatch<String, Item> batch) {
        int dice = random.nextInt(100);
        if (dice < 40) {
            return Sent.allDone(batch);
        }
        if (dice < 50) {
            return new BatchReply.TooLarge<>(new IllegalStateException("413"));
        }
        if (dice == 50) {
            return new BatchReply.Doomed<>(new DoomedWriterException());
        }
        if (dice < 55) {
            return new BatchReply.BatchFailed<>(new IllegalStateException("503"));
        }
        if (dice < 62) {
            return new BatchReply.BatchUnknown<>(new IllegalStateException("lost"));
        }
        List<ItemReply<String>> parts = new ArrayList<>();
        for (Item item : batch.items()) {
            parts.add(part(item));
        }
        if (dice < 67) {
            parts.remove(0);
        }
        return new BatchReply.PerItem<>(parts);
    }

    private ItemReply<String> part(Item item) {
        return switch (random.nextInt(6)) {
            case 0 -> new ItemReply.ItemDone<>(Sent.result(item));
            case 1 -> new ItemReply.ItemFailed<>(new IllegalStateException("409"));
            case 2 -> new ItemReply.ItemUnknown<>(new IllegalStateException("lost"));
            default -> new ItemReply.Unsent<>();
        };
    }

    static final class DoomedWriterException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}

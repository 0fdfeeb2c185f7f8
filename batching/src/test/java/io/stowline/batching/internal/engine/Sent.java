package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A batch that reached the fake sender, and the reply that the test gives. */
final class Sent {

    final DeliveryBatch<String, Item> batch;
    private final CompletableFuture<@Nullable BatchReply<String>> response = new CompletableFuture<>();

    Sent(DeliveryBatch<String, Item> batch) {
        this.batch = batch;
    }

    Mono<BatchReply<String>> reply() {
        return Mono.fromFuture(response);
    }

    List<String> entities() {
        return batch.items().stream().map(Item::entity).toList();
    }

    List<Integer> ids() {
        return batch.items().stream().map(Item::id).toList();
    }

    boolean isCancelled() {
        return response.isCancelled();
    }

    void response(@Nullable BatchReply<String> reply) {
        response.complete(reply);
    }

    void error(Throwable error) {
        response.completeExceptionally(error);
    }

    void done() {
        response(allDone(batch));
    }

    void doneHeld(Duration time) {
        response(allDone(batch).reservedFor(time));
    }

    void parts(List<ItemReply<String>> parts) {
        response(new BatchReply.PerItem<>(parts));
    }

    /** The named entities fail, all others had no effect, as in a transaction with culprits. */
    void culprits(Throwable error, String... entities) {
        Set<String> bad = new HashSet<>(List.of(entities));
        List<ItemReply<String>> parts = new ArrayList<>();
        for (Item item : batch.items()) {
            parts.add(bad.contains(item.entity()) ? new ItemReply.ItemFailed<>(error) : new ItemReply.Unsent<>());
        }
        response(new BatchReply.PerItem<>(parts));
    }

    static BatchReply<String> allDone(DeliveryBatch<?, Item> batch) {
        return new BatchReply.AllDone<>(batch.items().stream().map(Sent::result).toList());
    }

    static String result(Item item) {
        return "done " + item.entity() + " " + item.id();
    }
}

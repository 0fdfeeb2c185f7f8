package io.stowline.table.internal;

import io.stowline.batching.BatchReply;
import io.stowline.batching.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.table.Written;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Delivery;
import io.stowline.transport.internal.ServiceError;
import io.stowline.transport.internal.StoragePipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sends the operations of a batch that may have been sent before. First all of them in one transaction; when the service refuses that, each
 * goes alone and is judged alone, for each may have been carried out without the others. Too much at a time is halved, as in any other
 * batch. What comes to no end is sent again by the lane, after a pause. Serves one subscription.
 */
final class ReplayWrite {

    private static final int AT_A_TIME = 8;

    private final List<LaneItem> items;
    private final StoragePipeline pipeline;
    private final AtomicReferenceArray<@Nullable ItemReply<Written>> replies;
    private final @Nullable Delivery delivery;
    private volatile Duration ahead = Duration.ZERO;
    private volatile @Nullable StorageException trouble;
    private volatile @Nullable StorageException tooMuch;

    ReplayWrite(List<LaneItem> items, StoragePipeline pipeline, @Nullable Delivery delivery) {
        this.items = items;
        this.pipeline = pipeline;
        this.delivery = delivery;
        this.replies = new AtomicReferenceArray<>(items.size());
    }

    Mono<BatchReply<Written>> send() {
        IntStream.range(0, items.size()).forEach(i -> later(replay(i).untilOver()));
        return Mono.defer(this::once).then(Mono.fromSupplier(this::reply));
    }

    /** Why some of them came to no end, or {@code null} if all did. */
    @Nullable
    StorageException trouble() {
        return trouble;
    }

    private IntStream open() {
        return IntStream.range(0, items.size()).filter(i -> replies.get(i) == null);
    }

    private Replay replay(int index) {
        return Objects.requireNonNull(items.get(index).replay());
    }

    private Mono<Void> once() {
        return items.size() == 1 ? alone() : together();
    }

    private Mono<Void> together() {
        List<EncodedOperation> operations =
                items.stream().map(LaneItem::operation).toList();
        TableClient client = items.get(0).client();
        Call<List<String>> plain = Call.of(
                        client.batch(operations), client.retry(), new BatchAnswer(operations.size(), pipeline.clock()))
                .paced();
        Delivery way = delivery;
        Call<List<String>> call = way == null ? plain : plain.delivered(way);
        Mono<Void> work = pipeline.send(call)
                .doOnNext(etags -> IntStream.range(0, etags.size())
                        .forEach(i -> ended(
                                i,
                                new ItemReply.Done<>(Written.confirmed(
                                        etags.get(i), !operations.get(i).bound())))))
                .doOnTerminate(() -> after(
                        items.get(0), call.attempts(), pipeline.doubt(call).untilOver()))
                .then()
                .onErrorResume(StorageException.class, e -> parted(call.refusal(), e));
        return pipeline.observing().operation("transaction", call::resource, work);
    }

    private Mono<Void> parted(@Nullable ServiceError refusal, StorageException error) {
        if (refusal != null && Culprits.tooMuch(refusal)) {
            tooMuch = error;
            return Mono.empty();
        }
        if (Ends.isFinal(error)) {
            return alone();
        }
        trouble = error;
        return Mono.empty();
    }

    private Mono<Void> alone() {
        return Flux.fromStream(open().boxed())
                .flatMapDelayError(this::alone, AT_A_TIME, 1)
                .then();
    }

    private Mono<Void> alone(int index) {
        LaneItem item = items.get(index);
        SingleWrite write = SingleWrite.of(item.client(), pipeline, item.operation(), delivery)
                .repeating(replay(index), ahead);
        return write.send()
                .doOnNext(written -> ended(index, new ItemReply.Done<>(written)))
                .doOnTerminate(() -> after(item, write.attempts(), write.held()))
                .then()
                .onErrorResume(StorageException.class, e -> Mono.fromRunnable(() -> failed(index, e)));
    }

    private void failed(int index, StorageException error) {
        if (!Ends.isFinal(error)) {
            // What pauses the writer tells more than what only takes time.
            trouble = trouble == null || Ends.pauses(error) ? error : trouble;
        } else if (error instanceof OutcomeUnknownException) {
            ended(index, new ItemReply.Unknown<>(error));
        } else {
            ended(index, new ItemReply.Failed<>(error));
        }
    }

    private void ended(int index, ItemReply<Written> reply) {
        replies.set(index, reply);
        items.get(index).counters().carried(1, 0);
    }

    private void after(LaneItem item, int attempts, Duration held) {
        item.counters().carried(0, attempts);
        later(held);
    }

    private synchronized void later(Duration untilOver) {
        ahead = untilOver.compareTo(ahead) > 0 ? untilOver : ahead;
    }

    private BatchReply<Written> reply() {
        StorageException refused = tooMuch;
        if (refused != null) {
            // Only what may have been carried out has to wait for its horizon before it goes in two.
            BatchReply<Written> halve = new BatchReply.TooLarge<>(refused);
            return Ends.timedOut(refused) ? halve.heldFor(ahead) : halve;
        }
        StorageException why = trouble;
        if (why != null && open().count() == items.size()) {
            return new BatchReply.Failed<Written>(why).heldFor(ahead);
        }
        List<ItemReply<Written>> all = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            ItemReply<Written> reply = replies.get(i);
            all.add(reply == null ? new ItemReply.Unsent<>() : reply);
        }
        return new BatchReply.PerItem<>(all).heldFor(ahead);
    }
}

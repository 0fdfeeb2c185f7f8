package io.stowline.table.internal;

import io.stowline.batching.Batch;
import io.stowline.batching.BatchReply;
import io.stowline.batching.BatchSender;
import io.stowline.batching.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Written;
import io.stowline.transport.internal.Delivery;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.ServiceError;
import io.stowline.transport.internal.StoragePipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends what a lane has cut: a batch of one as a plain request, more as an entity group transaction. Says of each operation what
 * became of it.
 */
final class LaneSender implements BatchSender<LaneKey, LaneItem, Written> {

    private static final Duration DAY = Duration.ofDays(1);

    private final StoragePipeline pipeline;

    /** What is known of a write that failed: what the service said, and whether more time could have helped. */
    record End(@Nullable ServiceError refusal, boolean outOfTime, int attempts) {}

    private final Function<List<LaneItem>, @Nullable Mono<Void>> disk;

    LaneSender(StoragePipeline pipeline) {
        this(pipeline, JournalLine::before);
    }

    LaneSender(StoragePipeline pipeline, Function<List<LaneItem>, @Nullable Mono<Void>> disk) {
        this.pipeline = pipeline;
        this.disk = disk;
    }

    @Override
    public Mono<BatchReply<Written>> send(Batch<LaneKey, LaneItem> batch) {
        LaneDelivery delivery = LaneDelivery.of(batch, pipeline.timer());
        Mono<Void> before = disk.apply(batch.items());
        return before == null ? sent(batch, delivery) : afterDisk(batch, delivery, before);
    }

    /** The disk is waited for without a permit and off the wire, and no longer than the batch has time. */
    private Mono<BatchReply<Written>> afterDisk(
            Batch<LaneKey, LaneItem> batch, LaneDelivery delivery, Mono<Void> disk) {
        delivery.stepAside();
        Mono<BatchReply<Written>> after = Mono.defer(() -> sent(batch, delivery));
        Duration left = batch.timeLeft();
        if (left == null) {
            return disk.then(after);
        }
        IllegalStateException late = new IllegalStateException(
                "the journal's disk had not forgotten an earlier operation on one of the entities within " + left);
        return disk.thenReturn(true)
                .timeout(left, Mono.just(false), pipeline.timer())
                .flatMap(forgotten ->
                        forgotten ? after : Mono.just(new BatchReply.Late<>(late, Duration.ZERO, Duration.ZERO)));
    }

    /** The operations of a batch are all of one writer with a journal, or all of writers without; all of them in doubt, or none. */
    private Mono<BatchReply<Written>> sent(Batch<LaneKey, LaneItem> batch, LaneDelivery delivery) {
        JournalTicket ticket = batch.items().get(0).ticket();
        if (ticket == null) {
            return plain(batch, delivery);
        }
        JournaledBatch journaled = new JournaledBatch(batch, ticket.line(), pipeline);
        if (batch.items().stream().anyMatch(item -> item.replay() != null)) {
            return journaled.again(new ReplayWrite(batch.items(), pipeline, new ReplayDelivery(delivery)));
        }
        Delivery way = batch.timeLeft() == null ? new ReplayDelivery(delivery) : delivery;
        return journaled.send(() -> plain(batch, way));
    }

    private Mono<BatchReply<Written>> plain(Batch<LaneKey, LaneItem> batch, Delivery delivery) {
        return batch.items().size() == 1 ? alone(batch, delivery) : together(batch, delivery);
    }

    private Mono<BatchReply<Written>> alone(Batch<LaneKey, LaneItem> batch, Delivery delivery) {
        LaneItem item = batch.items().get(0);
        SingleWrite write = SingleWrite.of(item.client(), pipeline, item.operation(), delivery);
        return write.send()
                .map(written -> done(List.of(written)))
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.end(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    private Mono<BatchReply<Written>> together(Batch<LaneKey, LaneItem> batch, Delivery delivery) {
        List<EncodedOperation> operations =
                batch.items().stream().map(LaneItem::operation).toList();
        TableClient client = batch.items()
                .get(0)
                .client()
                .with(batch.items().stream().map(LaneItem::client).toList());
        BatchWrite write = new BatchWrite(client, pipeline, operations, delivery);
        return write.send()
                .map(LaneSender::done)
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.end(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    private static BatchReply<Written> told(BatchReply<Written> reply, boolean strained, Duration held) {
        return (strained ? reply.strained() : reply).heldFor(held);
    }

    /** A request that carries operations of several writers counts for each of them. */
    private static void count(List<LaneItem> items, int attempts) {
        WriteCounters first = items.get(0).counters();
        if (items.stream().allMatch(item -> item.counters() == first)) {
            first.carried(items.size(), attempts);
            return;
        }
        Map<WriteCounters, Integer> operations = new HashMap<>();
        for (LaneItem item : items) {
            operations.merge(item.counters(), 1, Integer::sum);
        }
        operations.forEach((counters, carried) -> counters.carried(carried, attempts));
    }

    private static BatchReply<Written> done(List<Written> written) {
        List<ItemReply<Written>> replies = new ArrayList<>(written.size());
        for (Written one : written) {
            replies.add(new ItemReply.Done<>(one));
        }
        return new BatchReply.PerItem<>(replies);
    }

    private BatchReply<Written> refused(Batch<LaneKey, LaneItem> batch, End end, StorageException error) {
        int size = batch.items().size();
        ServiceError refusal = end.refusal();
        if (error instanceof OutcomeUnknownException) {
            return new BatchReply.Unknown<>(error);
        }
        if (end.outOfTime() && !batch.atomic()) {
            return late(batch.items().get(0).client().retry(), end, error);
        }
        if (refusal == null) {
            return new BatchReply.Failed<>(error);
        }
        if (batch.atomic()) {
            return new BatchReply.Failed<>(wholeTransaction(refusal, size, error));
        }
        if (Culprits.dooms(refusal)) {
            return new BatchReply.Doomed<>(error);
        }
        if (Culprits.tooMuch(refusal)) {
            return new BatchReply.TooLarge<>(error);
        }
        if (size == 1 && Culprits.blames(refusal, size)) {
            return new BatchReply.PerItem<>(List.of(new ItemReply.Failed<>(error)));
        }
        return Culprits.names(refusal, size)
                ? oneFailed(batch.items(), refusal, error)
                : new BatchReply.Failed<>(error);
    }

    /** The time of one item is over, and others may have more: they are sent again when the back-off says so. */
    private BatchReply<Written> late(RetrySettings retry, End end, StorageException error) {
        Duration pause = end.attempts() == 0
                ? Duration.ZERO
                : longer(
                        retry.backoff().delay(end.attempts(), pipeline.random()),
                        error.failure().retryAfter());
        return new BatchReply.Late<>(
                error, shorter(pause), shorter(retry.leastAttempt().plus(retry.reserve())));
    }

    private static Duration longer(Duration own, @Nullable Duration hint) {
        return hint != null && hint.compareTo(own) > 0 ? hint : own;
    }

    private static Duration shorter(Duration time) {
        return time.compareTo(DAY) > 0 ? DAY : time;
    }

    private static StorageException wholeTransaction(ServiceError refusal, int size, StorageException error) {
        return Culprits.blames(refusal, size)
                ? new TransactionFailedException(Math.max(0, refusal.index()), error)
                : error;
    }

    private static BatchReply<Written> oneFailed(List<LaneItem> items, ServiceError refusal, StorageException error) {
        List<ItemReply<Written>> replies = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            replies.add(
                    i == refusal.index()
                            ? new ItemReply.Failed<>(ofItem(items.get(i), refusal, error))
                            : new ItemReply.Unsent<>());
        }
        return new BatchReply.PerItem<>(replies);
    }

    private static StorageException ofItem(LaneItem item, ServiceError refusal, StorageException error) {
        EncodedOperation operation = item.operation();
        String resource = TableRequests.resource(item.client().table(), operation.partitionKey(), operation.rowKey());
        return Failures.of(refusal, error.failure().of(operation.verb().label(), resource));
    }
}

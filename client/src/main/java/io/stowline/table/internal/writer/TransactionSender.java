package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.Batch;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.batch.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.BatchErrorAnalyzer;
import io.stowline.table.internal.write.SingleWrite;
import io.stowline.table.internal.write.SingleWrite.WriteEnd;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.write.TransactionWrite;
import io.stowline.table.internal.writer.LaneDelivery.ReplayDelivery;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
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
final class TransactionSender implements BatchSender<LaneKey, QueuedWrite, EntityWriteResult> {

    private static final Duration DAY = Duration.ofDays(1);

    private final StoragePipeline pipeline;

    private final Function<List<QueuedWrite>, @Nullable Mono<Void>> disk;

    TransactionSender(StoragePipeline pipeline) {
        this(pipeline, JournalExit::before);
    }

    TransactionSender(StoragePipeline pipeline, Function<List<QueuedWrite>, @Nullable Mono<Void>> disk) {
        this.pipeline = pipeline;
        this.disk = disk;
    }

    @Override
    public Mono<BatchReply<EntityWriteResult>> send(Batch<LaneKey, QueuedWrite> batch) {
        LaneDelivery delivery = LaneDelivery.of(batch, pipeline.timer());
        Mono<Void> before = disk.apply(batch.items());
        return before == null ? sent(batch, delivery) : afterDisk(batch, delivery, before);
    }

    /** The disk is waited for without a permit and off the wire, and no longer than the batch has time. */
    private Mono<BatchReply<EntityWriteResult>> afterDisk(
            Batch<LaneKey, QueuedWrite> batch, LaneDelivery delivery, Mono<Void> disk) {
        delivery.stepAside();
        Mono<BatchReply<EntityWriteResult>> after = Mono.defer(() -> sent(batch, delivery));
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
    private Mono<BatchReply<EntityWriteResult>> sent(Batch<LaneKey, QueuedWrite> batch, LaneDelivery delivery) {
        JournalTicket ticket = batch.items().get(0).ticket();
        if (ticket == null) {
            return plain(batch, delivery);
        }
        JournaledBatch journaled = new JournaledBatch(batch, ticket.journaled(), pipeline);
        if (batch.items().stream().anyMatch(item -> item.replay() != null)) {
            return journaled.again(new ReplayedTransaction(batch.items(), pipeline, new ReplayDelivery(delivery)));
        }
        PermittedDelivery way = batch.timeLeft() == null ? new ReplayDelivery(delivery) : delivery;
        return journaled.send(() -> plain(batch, way));
    }

    private Mono<BatchReply<EntityWriteResult>> plain(Batch<LaneKey, QueuedWrite> batch, PermittedDelivery delivery) {
        if (batch.atomic()) {
            batch.items().get(0).counters().begin();
        }
        return batch.items().size() == 1 ? alone(batch, delivery) : together(batch, delivery);
    }

    private Mono<BatchReply<EntityWriteResult>> alone(Batch<LaneKey, QueuedWrite> batch, PermittedDelivery delivery) {
        QueuedWrite item = batch.items().get(0);
        SingleWrite write = SingleWrite.of(item.client(), pipeline, item.operation(), delivery);
        return write.send()
                .map(written -> done(List.of(written)))
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.end(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    /** All its operations go by the same {@link DeliveryTerms}, or are of one transaction: what holds for the first holds for all. */
    private Mono<BatchReply<EntityWriteResult>> together(
            Batch<LaneKey, QueuedWrite> batch, PermittedDelivery delivery) {
        List<EncodedOperation> operations =
                batch.items().stream().map(QueuedWrite::operation).toList();
        TableOperations client = batch.items().get(0).client();
        TransactionWrite write = new TransactionWrite(client, pipeline, operations, delivery);
        return write.send()
                .map(TransactionSender::done)
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.end(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    private static BatchReply<EntityWriteResult> told(
            BatchReply<EntityWriteResult> reply, boolean strained, Duration held) {
        return (strained ? reply.strained() : reply).heldFor(held);
    }

    /** A request that carries operations of several writers counts for each of them. */
    private static void count(List<QueuedWrite> items, int attempts) {
        WriteCounters first = items.get(0).counters();
        if (items.stream().allMatch(item -> item.counters() == first)) {
            first.carried(items.size(), attempts);
            return;
        }
        Map<WriteCounters, Integer> operations = new HashMap<>();
        for (QueuedWrite item : items) {
            operations.merge(item.counters(), 1, Integer::sum);
        }
        operations.forEach((counters, carried) -> counters.carried(carried, attempts));
    }

    private static BatchReply<EntityWriteResult> done(List<EntityWriteResult> written) {
        List<ItemReply<EntityWriteResult>> replies = new ArrayList<>(written.size());
        for (EntityWriteResult one : written) {
            replies.add(new ItemReply.Done<>(one));
        }
        return new BatchReply.PerItem<>(replies);
    }

    private BatchReply<EntityWriteResult> refused(
            Batch<LaneKey, QueuedWrite> batch, WriteEnd end, StorageException error) {
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
        if (BatchErrorAnalyzer.dooms(refusal)) {
            return new BatchReply.Doomed<>(error);
        }
        if (BatchErrorAnalyzer.tooMuch(refusal)) {
            return new BatchReply.TooLarge<>(error);
        }
        if (size == 1 && BatchErrorAnalyzer.blames(refusal, size)) {
            return new BatchReply.PerItem<>(List.of(new ItemReply.Failed<>(error)));
        }
        return BatchErrorAnalyzer.names(refusal, size)
                ? oneFailed(batch.items(), refusal, error)
                : new BatchReply.Failed<>(error);
    }

    /** The time of one item is over, and others may have more: they are sent again when the back-off says so. */
    private BatchReply<EntityWriteResult> late(RetrySettings retry, WriteEnd end, StorageException error) {
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
        return BatchErrorAnalyzer.blames(refusal, size)
                ? new TransactionFailedException(Math.max(0, refusal.index()), error)
                : error;
    }

    private static BatchReply<EntityWriteResult> oneFailed(
            List<QueuedWrite> items, ServiceError refusal, StorageException error) {
        List<ItemReply<EntityWriteResult>> replies = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            replies.add(
                    i == refusal.index()
                            ? new ItemReply.Failed<>(ofItem(items.get(i), refusal, error))
                            : new ItemReply.Unsent<>());
        }
        return new BatchReply.PerItem<>(replies);
    }

    private static StorageException ofItem(QueuedWrite item, ServiceError refusal, StorageException error) {
        EncodedOperation operation = item.operation();
        String resource = TableRequests.resource(item.client().table(), operation.partitionKey(), operation.rowKey());
        return ErrorMapper.of(refusal, error.failure().of(operation.verb().label(), resource));
    }
}

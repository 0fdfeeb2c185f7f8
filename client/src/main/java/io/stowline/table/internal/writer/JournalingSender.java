package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.time.Duration;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * A sender around the {@link TransactionSender} for batches whose operations are in a journal. The operations of a batch are all of one
 * writer with a journal, or all of writers without; all of them unresolved, or none.
 */
final class JournalingSender implements BatchSender<LaneKey, QueuedWrite, WriteResult> {

    private final TransactionSender sender;
    private final StoragePipeline pipeline;

    JournalingSender(StoragePipeline pipeline) {
        this.sender = new TransactionSender(pipeline);
        this.pipeline = pipeline;
    }

    @Override
    public Mono<BatchReply<WriteResult>> send(DeliveryBatch<LaneKey, QueuedWrite> batch) {
        // In the thread of one of many callers, or of none.
        Mono<BatchReply<WriteResult>> detached = pipeline.observer().detached(reply(batch));
        return batch.atomic()
                ? detached.contextWrite(batch.items().get(0).counters().operation())
                : detached;
    }

    private Mono<BatchReply<WriteResult>> reply(DeliveryBatch<LaneKey, QueuedWrite> batch) {
        JournalTicket ticket = batch.items().get(0).ticket();
        if (ticket == null) {
            return sender.send(batch);
        }
        BatchDelivery delivery = BatchDelivery.of(batch, pipeline.timer());
        JournaledBatch journaled = new JournaledBatch(batch, ticket.log(), pipeline);
        Supplier<Mono<BatchReply<WriteResult>>> sending = () -> BatchDelivery.isReplayed(batch.items())
                ? journaled.again(new ReplayedTransaction(batch.items(), pipeline, delivery))
                : journaled.send(() -> sender.send(batch, delivery));
        Mono<Void> disk = JournalExit.before(batch.items());
        return disk == null ? sending.get() : afterDisk(batch, delivery, disk, sending);
    }

    /** Waits for the disk without a permit and off the wire, and no longer than the batch has time. */
    Mono<BatchReply<WriteResult>> afterDisk(
            DeliveryBatch<LaneKey, QueuedWrite> batch,
            BatchDelivery delivery,
            Mono<Void> disk,
            Supplier<Mono<BatchReply<WriteResult>>> sending) {
        delivery.stepAside();
        Mono<BatchReply<WriteResult>> after = Mono.defer(sending);
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
}

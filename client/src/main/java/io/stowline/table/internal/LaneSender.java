package io.stowline.table.internal;

import io.stowline.batching.Batch;
import io.stowline.batching.BatchReply;
import io.stowline.batching.BatchSender;
import io.stowline.batching.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.retry.Permit;
import io.stowline.table.Written;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.ServiceError;
import io.stowline.transport.internal.StoragePipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends what a lane has cut: a batch of one as a plain request, more as an entity group transaction. Says of each operation what
 * became of it.
 */
final class LaneSender implements BatchSender<LaneKey, LaneItem, Written> {

    private final StoragePipeline pipeline;

    LaneSender(StoragePipeline pipeline) {
        this.pipeline = pipeline;
    }

    @Override
    public Mono<BatchReply<Written>> send(Batch<LaneKey, LaneItem> batch) {
        Mono<Void> before = JournalLine.before(batch.items());
        return before == null ? sent(batch) : before.then(Mono.defer(() -> sent(batch)));
    }

    private Mono<BatchReply<Written>> sent(Batch<LaneKey, LaneItem> batch) {
        if (batch.items().stream().anyMatch(item -> item.replay() != null)) {
            return new ReplayWrite(batch.items(), pipeline, permit(batch)).send();
        }
        return batch.items().size() == 1 ? alone(batch) : together(batch);
    }

    private Mono<BatchReply<Written>> alone(Batch<LaneKey, LaneItem> batch) {
        LaneItem item = batch.items().get(0);
        SingleWrite write = SingleWrite.of(item.client(), pipeline, item.operation(), permit(batch));
        return write.send()
                .map(written -> done(List.of(written)))
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.refusal(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    private Mono<BatchReply<Written>> together(Batch<LaneKey, LaneItem> batch) {
        List<EncodedOperation> operations =
                batch.items().stream().map(LaneItem::operation).toList();
        TableClient client = batch.items()
                .get(0)
                .client()
                .with(batch.items().stream().map(LaneItem::client).toList());
        BatchWrite write = new BatchWrite(client, pipeline, operations, permit(batch));
        return write.send()
                .map(LaneSender::done)
                .onErrorResume(StorageException.class, e -> Mono.just(refused(batch, write.refusal(), e)))
                .map(reply -> told(reply, write.strained(), write.held()))
                .doOnTerminate(() -> count(batch.items(), write.attempts()));
    }

    private static BatchReply<Written> told(BatchReply<Written> reply, boolean strained, Duration held) {
        return (strained ? reply.strained() : reply).heldFor(held);
    }

    private static @Nullable Permit permit(Batch<LaneKey, LaneItem> batch) {
        return batch.takeTicket() instanceof GateAdmission.PermitTicket ticket ? ticket.permit() : null;
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

    private static BatchReply<Written> refused(
            Batch<LaneKey, LaneItem> batch, @Nullable ServiceError refusal, StorageException error) {
        int size = batch.items().size();
        if (error instanceof OutcomeUnknownException) {
            return new BatchReply.Unknown<>(error);
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
        return Culprits.names(refusal, size)
                ? oneFailed(batch.items(), refusal, error)
                : new BatchReply.Failed<>(error);
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

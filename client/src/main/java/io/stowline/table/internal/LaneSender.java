package io.stowline.table.internal;

import io.stowline.batching.Batch;
import io.stowline.batching.BatchReply;
import io.stowline.batching.BatchSender;
import io.stowline.batching.ItemReply;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.table.Written;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.Reading;
import io.stowline.transport.internal.ServiceError;
import io.stowline.transport.internal.StoragePipeline;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Sends what a lane has cut: a batch of one as a plain request, more as an entity group transaction. Says of each operation what
 * became of it.
 */
final class LaneSender implements BatchSender<LaneKey, LaneItem, Written> {

    private final TableRequests requests;
    private final StoragePipeline pipeline;

    LaneSender(TableRequests requests, StoragePipeline pipeline) {
        this.requests = requests;
        this.pipeline = pipeline;
    }

    @Override
    public Mono<BatchReply<Written>> send(Batch<LaneKey, LaneItem> batch) {
        List<LaneItem> items = batch.items();
        Call<List<String>> call = call(items, batch);
        return pipeline.send(call)
                .map(LaneSender::done)
                .onErrorResume(StorageException.class, error -> Mono.just(refused(batch, call.refusal(), error)))
                .doOnTerminate(() -> count(items, call.attempts()));
    }

    /** A request that carries operations of several writers counts for each of them. */
    private static void count(List<LaneItem> items, int attempts) {
        Set<WriteCounters> counted = new HashSet<>();
        for (LaneItem item : items) {
            if (counted.add(item.counters())) {
                item.counters().attempts(attempts);
            }
            item.counters().operation();
        }
    }

    private Call<List<String>> call(List<LaneItem> items, Batch<LaneKey, LaneItem> batch) {
        TableClient client = items.get(0).client();
        Call<List<String>> call;
        if (items.size() == 1) {
            call = Call.of(
                    requests.operation(client.table(), items.get(0).operation()),
                    client.retry(),
                    answer -> new Reading.Value<>(List.of(TableClient.etag(answer))));
        } else {
            List<EncodedOperation> operations =
                    items.stream().map(LaneItem::operation).toList();
            call = Call.of(
                    requests.batch(client.table(), operations),
                    client.retry(),
                    new BatchAnswer(operations.size(), pipeline.clock()));
        }
        return batch.takeTicket() instanceof GateAdmission.PermitTicket ticket
                ? call.admittedBy(ticket.permit())
                : call;
    }

    private static BatchReply<Written> done(List<String> etags) {
        List<ItemReply<Written>> replies = new ArrayList<>(etags.size());
        for (String etag : etags) {
            replies.add(new ItemReply.Done<>(new Written(etag)));
        }
        return new BatchReply.PerItem<>(replies);
    }

    private static BatchReply<Written> refused(
            Batch<LaneKey, LaneItem> batch, @Nullable ServiceError refusal, StorageException error) {
        int size = batch.items().size();
        if (refusal == null) {
            return new BatchReply.Failed<>(error);
        }
        if (batch.atomic()) {
            return new BatchReply.Failed<>(wholeTransaction(refusal, size, error));
        }
        if (Culprits.dooms(refusal)) {
            return new BatchReply.Doomed<>(error);
        }
        // What an unanswered attempt may have applied must not be sent again as if it had not been (B5).
        if (error.failure().unanswered() > 0) {
            return new BatchReply.Failed<>(error);
        }
        if (refusal.status() == 413) {
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

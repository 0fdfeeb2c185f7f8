package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.table.internal.write.BatchErrorAnalyzer;
import io.stowline.table.internal.write.MarkedWrite;
import io.stowline.table.internal.write.MarkedWrite.WriteEnd;
import io.stowline.table.internal.write.SingleWrite;
import io.stowline.table.internal.write.TransactionWrite;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A sender of the batches that lanes have cut: a batch of one as a plain request, more as an entity group transaction. Reports for each operation what
 * became of it.
 */
record TransactionSender(StoragePipeline pipeline) implements BatchSender<LaneKey, QueuedWrite, WriteResult> {

    private static final Duration DAY = Duration.ofDays(1);

    @Override
    public Mono<BatchReply<WriteResult>> send(DeliveryBatch<LaneKey, QueuedWrite> batch) {
        return send(batch, BatchDelivery.of(batch, pipeline.timer()));
    }

    /** Sends a batch by its delivery. */
    Mono<BatchReply<WriteResult>> send(DeliveryBatch<LaneKey, QueuedWrite> batch, BatchDelivery delivery) {
        List<QueuedWrite> items = batch.items();
        if (items.size() == 1 && items.get(0).weight() == 1) {
            return alone(items.get(0), batch.atomic(), delivery);
        }
        List<QueuedWrite> first = SharedRows.without(items);
        return together(first, batch.atomic(), delivery)
                .map(reply -> first.size() == items.size() ? reply : SharedRows.widened(reply, first, items));
    }

    private Mono<BatchReply<WriteResult>> alone(QueuedWrite item, boolean atomic, BatchDelivery delivery) {
        SingleWrite write = SingleWrite.of(
                item.operations(), pipeline, item.operation(), delivery.options(), delivery.takePermit());
        return replied(List.of(item), atomic, write, write.send().map(List::of));
    }

    /**
     * All its operations have the same {@link DeliveryTerms}, or are of one transaction: the first one stands for all.
     */
    private Mono<BatchReply<WriteResult>> together(List<QueuedWrite> items, boolean atomic, BatchDelivery delivery) {
        TransactionWrite write = new TransactionWrite(
                items.get(0).operations(),
                pipeline,
                QueuedWrite.operations(items),
                delivery.options(),
                delivery.takePermit());
        return replied(items, atomic, write, write.send());
    }

    private Mono<BatchReply<WriteResult>> replied(
            List<QueuedWrite> items, boolean atomic, MarkedWrite<?, ?> write, Mono<List<WriteResult>> results) {
        if (atomic) {
            items.get(0).counters().begin(write);
        }
        CarriedItems carried = CarriedItems.of(items);
        return results.map(written -> done(items, written))
                .onErrorResume(StorageException.class, e -> Mono.just(refused(items, atomic, write.end(), e)))
                .map(reply -> (write.strained() ? reply.strained() : reply).reservedFor(write.reserved()))
                .doOnTerminate(() -> carried.count(write.attempts(), write.throttles()));
    }

    /** The result of an operation that carries others is its own. */
    private static BatchReply<WriteResult> done(List<QueuedWrite> items, List<WriteResult> written) {
        if (written.size() == items.size()) {
            return new BatchReply.AllDone<>(written);
        }
        List<WriteResult> own = new ArrayList<>(items.size());
        int at = 0;
        for (QueuedWrite item : items) {
            own.add(written.get(at));
            at += item.weight();
        }
        return new BatchReply.AllDone<>(own);
    }

    private BatchReply<WriteResult> refused(
            List<QueuedWrite> items, boolean atomic, WriteEnd end, StorageException error) {
        int size = QueuedWrite.weight(items);
        ServiceError refusal = end.refusal();
        if (error instanceof OutcomeUnknownException) {
            return new BatchReply.BatchUnknown<>(error);
        }
        if (end.outOfTime() && !atomic && !items.get(0).asOneCall()) {
            return late(items.get(0).operations().retry(), end, error);
        }
        if (refusal == null) {
            return new BatchReply.BatchFailed<>(error);
        }
        if (atomic) {
            return new BatchReply.BatchFailed<>(wholeTransaction(refusal, size, error));
        }
        if (BatchErrorAnalyzer.dooms(refusal)) {
            return items.get(0).isRepeated() ? new BatchReply.BatchFailed<>(error) : new BatchReply.Doomed<>(error);
        }
        if (BatchErrorAnalyzer.tooMuch(refusal)) {
            return new BatchReply.TooLarge<>(error);
        }
        if (items.size() == 1 && BatchErrorAnalyzer.blames(refusal, size)) {
            StorageException own =
                    size == 1 ? error : ofItem(items.get(0), Math.max(0, refusal.index()), refusal, error);
            return new BatchReply.PerItem<>(List.of(new ItemReply.ItemFailed<>(own)));
        }
        return BatchErrorAnalyzer.names(refusal, size)
                ? oneFailed(items, refusal, error)
                : new BatchReply.BatchFailed<>(error);
    }

    /** The time of one item is over, and others may have more: they are sent again after the back-off. */
    private BatchReply<WriteResult> late(RetrySettings retry, WriteEnd end, StorageException error) {
        Duration pause = end.attempts() == 0
                ? Duration.ZERO
                : longer(
                        retry.backoff().delay(end.attempts(), pipeline.random()),
                        error.failure().retryAfter());
        return new BatchReply.Late<>(
                error, shorter(pause), shorter(retry.minAttempt().plus(retry.reserve())));
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

    private static BatchReply<WriteResult> oneFailed(
            List<QueuedWrite> items, ServiceError refusal, StorageException error) {
        List<ItemReply<WriteResult>> replies = new ArrayList<>(items.size());
        int at = refusal.index();
        for (QueuedWrite item : items) {
            replies.add(
                    at >= 0 && at < item.weight()
                            ? new ItemReply.ItemFailed<>(ofItem(item, at, refusal, error))
                            : new ItemReply.Unsent<>());
            at -= item.weight();
        }
        return new BatchReply.PerItem<>(replies);
    }

    /** The refusal of one operation of an item with several has the operation's place among them. */
    private static StorageException ofItem(QueuedWrite item, int index, ServiceError refusal, StorageException error) {
        EncodedOperation operation =
                index == 0 ? item.operation() : item.copies().get(index - 1);
        String resource =
                TableRequests.resource(item.operations().table(), operation.partitionKey(), operation.rowKey());
        StorageException own =
                ErrorMapper.of(refusal, error.failure().of(operation.verb().label(), resource));
        return item.weight() == 1 ? own : new TransactionFailedException(index, own);
    }

    /**
     * Items of one batch whose operations meet in a row: a value of a unique index that one entity gives up and another takes. The service
     * takes each row once, so that the later item waits for the next batch.
     */
    private static final class SharedRows {

        private SharedRows() {}

        /** Returns the items that are not sent together with an earlier one. */
        static List<QueuedWrite> without(List<QueuedWrite> items) {
            if (QueuedWrite.weight(items) == items.size()) {
                return items;
            }
            Set<String> rows = new HashSet<>();
            List<QueuedWrite> first = new ArrayList<>(items.size());
            for (QueuedWrite item : items) {
                List<String> own = QueuedWrite.operations(List.of(item)).stream()
                        .map(EncodedOperation::rowKey)
                        .toList();
                if (Collections.disjoint(rows, own)) {
                    rows.addAll(own);
                    first.add(item);
                }
            }
            return first;
        }

        /** Returns the reply to some items as one to all: the others have not been sent. */
        static BatchReply<WriteResult> widened(
                BatchReply<WriteResult> reply, List<QueuedWrite> some, List<QueuedWrite> all) {
            if (reply instanceof BatchReply.ReservedBatch<WriteResult> reservedBatch) {
                return new BatchReply.ReservedBatch<>(widened(reservedBatch.reply(), some, all), reservedBatch.time());
            }
            if (reply instanceof BatchReply.Strained<WriteResult> strained) {
                return new BatchReply.Strained<>(widened(strained.reply(), some, all));
            }
            if (reply instanceof BatchReply.AllDone<WriteResult> done) {
                return widened(done.perItem(), some, all);
            }
            if (reply instanceof BatchReply.PerItem<WriteResult> parts) {
                return widened(some, all, parts.replies()::get);
            }
            if (reply instanceof BatchReply.BatchUnknown<WriteResult> unknown) {
                return widened(some, all, at -> new ItemReply.ItemUnknown<>(unknown.error()));
            }
            return reply;
        }

        private static BatchReply<WriteResult> widened(
                List<QueuedWrite> some, List<QueuedWrite> all, IntFunction<ItemReply<WriteResult>> replies) {
            List<ItemReply<WriteResult>> wide = new ArrayList<>(all.size());
            int at = 0;
            for (QueuedWrite item : all) {
                boolean sent = at < some.size() && some.get(at).equals(item);
                wide.add(sent ? replies.apply(at++) : new ItemReply.Unsent<>());
            }
            return new BatchReply.PerItem<>(wide);
        }
    }

    /**
     * The numbers of operations that a request carries for its writers. Counted before it is sent, while the items are in the
     * cache.
     */
    private record CarriedItems(WriteCounters first, int ofFirst, Map<WriteCounters, Integer> others) {

        static CarriedItems of(List<QueuedWrite> items) {
            WriteCounters first = items.get(0).counters();
            int ofFirst = 0;
            Map<WriteCounters, Integer> others = Map.of();
            for (QueuedWrite item : items) {
                if (item.counters() == first) {
                    ofFirst += item.weight();
                } else {
                    others = others.isEmpty() ? new HashMap<>() : others;
                    others.merge(item.counters(), item.weight(), Integer::sum);
                }
            }
            return new CarriedItems(first, ofFirst, others);
        }

        void count(int attempts, int throttles) {
            first.carried(ofFirst, attempts, throttles);
            others.forEach((counters, carried) -> counters.carried(carried, attempts, throttles));
        }
    }
}

package io.stowline.table.internal.writer;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.BatchResponseParser;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.BatchErrorAnalyzer;
import io.stowline.table.internal.write.SingleWrite;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ExecutionOptions;
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
 * A sender of the operations of a batch that may have been sent before. First all of them in one transaction; when the service refuses that, each
 * goes alone and is judged alone, for each may have been carried out without the others. Too much at a time is halved, as in any other
 * batch. What comes to no end is sent again by the lane, after a pause. Serves one subscription.
 */
final class ReplayedTransaction {

    private static final int AT_A_TIME = 8;

    private final List<QueuedWrite> items;
    private final StoragePipeline pipeline;
    private final AtomicReferenceArray<@Nullable ItemReply<WriteResult>> replies;
    private final @Nullable BatchDelivery delivery;
    private volatile Duration ahead = Duration.ZERO;
    private volatile @Nullable StorageException trouble;
    private volatile @Nullable StorageException tooMuch;

    ReplayedTransaction(List<QueuedWrite> items, StoragePipeline pipeline, @Nullable BatchDelivery delivery) {
        this.items = items;
        this.pipeline = pipeline;
        this.delivery = delivery;
        this.replies = new AtomicReferenceArray<>(items.size());
    }

    Mono<BatchReply<WriteResult>> send() {
        IntStream.range(0, items.size()).forEach(i -> later(replay(i).timeUntilSettled()));
        IntStream.range(0, items.size())
                .filter(i -> replay(i).isFence())
                .forEach(i -> replies.set(i, new ItemReply.ItemDone<>(WriteResult.confirmed("", false))));
        return Mono.defer(this::once).then(Mono.fromSupplier(this::reply));
    }

    /** Returns why some of them came to no end, or {@code null} if all did. */
    @Nullable
    StorageException trouble() {
        return trouble;
    }

    private IntStream open() {
        return IntStream.range(0, items.size()).filter(i -> replies.get(i) == null);
    }

    private ReplayedWrite replay(int index) {
        return Objects.requireNonNull(items.get(index).replay());
    }

    private Mono<Void> once() {
        return items.size() == 1 || open().count() < items.size() ? alone() : together();
    }

    private Mono<Void> together() {
        List<EncodedOperation> operations =
                items.stream().map(QueuedWrite::operation).toList();
        TableOperations tableOperations = items.get(0).operations();
        Exchange<List<String>> plain = Exchange.of(
                        tableOperations.batch(operations),
                        tableOperations.retry(),
                        new BatchResponseParser(operations.size(), pipeline.clock()))
                .with(ExecutionOptions::paced);
        Exchange<List<String>> exchange =
                delivery == null ? plain : plain.forBatch(delivery.options(), delivery.takePermit());
        Mono<Void> work = pipeline.send(exchange)
                .doOnNext(etags -> IntStream.range(0, etags.size())
                        .forEach(i -> ended(
                                i,
                                new ItemReply.ItemDone<>(WriteResult.confirmed(
                                        etags.get(i), !operations.get(i).bound())))))
                .doOnTerminate(() -> after(
                        items.get(0),
                        exchange.attempts(),
                        exchange.throttles(),
                        pipeline.unresolved(exchange).timeUntilSettled()))
                .then()
                .onErrorResume(StorageException.class, e -> parted(exchange.refusal(), e));
        return pipeline.observer().operation("transaction", exchange.request()::resource, work);
    }

    private Mono<Void> parted(@Nullable ServiceError refusal, StorageException error) {
        if (refusal != null && BatchErrorAnalyzer.tooMuch(refusal)) {
            tooMuch = error;
            return Mono.empty();
        }
        if (EndRules.isFinal(error)) {
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
        QueuedWrite item = items.get(index);
        SingleWrite write = SingleWrite.of(
                        item.operations(),
                        pipeline,
                        item.operation(),
                        delivery == null ? null : delivery.options(),
                        delivery == null ? null : delivery.takePermit())
                .repeating(replay(index).first(), ahead);
        return write.send()
                .doOnNext(written -> ended(index, new ItemReply.ItemDone<>(written)))
                .doOnTerminate(() -> after(item, write.attempts(), write.throttles(), write.reserved()))
                .then()
                .onErrorResume(StorageException.class, e -> Mono.fromRunnable(() -> failed(index, e)));
    }

    private void failed(int index, StorageException error) {
        if (!EndRules.isFinal(error)) {
            // What pauses the writer matters more than what only takes time.
            trouble = trouble == null || EndRules.pauses(error) ? error : trouble;
        } else if (error instanceof OutcomeUnknownException) {
            ended(index, new ItemReply.ItemUnknown<>(error));
        } else {
            ended(index, new ItemReply.ItemFailed<>(error));
        }
    }

    private void ended(int index, ItemReply<WriteResult> reply) {
        replies.set(index, reply);
        items.get(index).counters().carried(1, 0, 0);
    }

    private void after(QueuedWrite item, int attempts, int throttles, Duration reserved) {
        item.counters().carried(0, attempts, throttles);
        later(reserved);
    }

    private synchronized void later(Duration timeUntilSettled) {
        ahead = timeUntilSettled.compareTo(ahead) > 0 ? timeUntilSettled : ahead;
    }

    private BatchReply<WriteResult> reply() {
        StorageException refused = tooMuch;
        if (refused != null) {
            // Only what may have been carried out has to wait for its horizon before it goes in two.
            BatchReply<WriteResult> halve = new BatchReply.TooLarge<>(refused, true);
            return EndRules.timedOut(refused) ? halve.reservedFor(ahead) : halve;
        }
        StorageException why = trouble;
        if (why != null && open().count() == items.size()) {
            return new BatchReply.BatchFailed<WriteResult>(why).reservedFor(ahead);
        }
        List<ItemReply<WriteResult>> all = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            ItemReply<WriteResult> reply = replies.get(i);
            all.add(reply == null ? new ItemReply.Unsent<>() : reply);
        }
        return new BatchReply.PerItem<>(all).reservedFor(ahead);
    }
}

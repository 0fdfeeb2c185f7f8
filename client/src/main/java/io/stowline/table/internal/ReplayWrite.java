package io.stowline.table.internal;

import io.stowline.batching.BatchReply;
import io.stowline.batching.ItemReply;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
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
import reactor.util.retry.Retry;

/**
 * Sends the operations of a batch that an earlier process may have sent. First all of them in one transaction; when that does not go
 * through, each goes alone and is judged alone, for each may have been carried out without the others. They are tried until they have an
 * end that no further try could change: nobody waits for them who could try again. Operations of this process that are in the batch are
 * sent afterwards. Serves one subscription.
 */
final class ReplayWrite {

    private static final int AT_A_TIME = 8;
    private static final Backoff PAUSES = Backoff.of(Duration.ofMillis(500), Duration.ZERO, Duration.ofSeconds(30))
            .spreadAtCap();

    private final List<LaneItem> items;
    private final StoragePipeline pipeline;
    private final AtomicReferenceArray<@Nullable ItemReply<Written>> replies;
    private final @Nullable Delivery delivery;
    private boolean apart;
    private volatile Duration ahead = Duration.ZERO;

    /** The end of everything: nothing that the writer still has can succeed. */
    private static final class Doom extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Doom(StorageException cause) {
            super(cause);
        }
    }

    ReplayWrite(List<LaneItem> items, StoragePipeline pipeline, @Nullable Delivery delivery) {
        this.items = items;
        this.pipeline = pipeline;
        this.delivery = delivery;
        this.replies = new AtomicReferenceArray<>(items.size());
        replays().forEach(i -> later(replay(i).untilOver()));
        this.apart = replays().count() == 1;
    }

    Mono<BatchReply<Written>> send() {
        return Mono.defer(this::once)
                .retryWhen(Retry.from(ends -> ends.concatMap(this::pause)))
                .then(Mono.fromSupplier(this::reply))
                .onErrorResume(
                        Doom.class, e -> Mono.just(new BatchReply.Doomed<>(Objects.requireNonNull(e.getCause()))))
                .onErrorResume(e -> Mono.just(new BatchReply.Failed<>(e)))
                .map(reply -> reply.heldFor(ahead))
                .doOnTerminate(
                        () -> replays().forEach(i -> items.get(i).counters().carried(1, 0)));
    }

    private Mono<Long> pause(Retry.RetrySignal end) {
        if (!(end.failure() instanceof StorageException)
                || open().allMatch(i -> replay(i).isOver())) {
            return Mono.error(end.failure());
        }
        int retry = 1 + (int) Math.min(end.totalRetries(), Short.MAX_VALUE);
        return Mono.delay(PAUSES.delay(retry, pipeline.random()), pipeline.timer());
    }

    private IntStream replays() {
        return IntStream.range(0, items.size()).filter(i -> items.get(i).replay() != null);
    }

    private IntStream open() {
        return replays().filter(i -> replies.get(i) == null);
    }

    private Replay replay(int index) {
        return Objects.requireNonNull(items.get(index).replay());
    }

    private Mono<Void> once() {
        return apart ? alone() : together().onErrorResume(StorageException.class, this::parted);
    }

    private Mono<Void> parted(StorageException error) {
        if (!Replay.isFinal(error)) {
            return Mono.error(error);
        }
        apart = true;
        return alone();
    }

    private Mono<Void> together() {
        List<Integer> indexes = open().boxed().toList();
        List<EncodedOperation> operations =
                indexes.stream().map(i -> items.get(i).operation()).toList();
        TableClient client = items.get(indexes.get(0)).client();
        Call<List<String>> plain = Call.of(
                        client.batch(operations), client.retry(), new BatchAnswer(operations.size(), pipeline.clock()))
                .paced();
        Delivery way = delivery;
        Call<List<String>> call = way == null ? plain : plain.delivered(way);
        Mono<Void> work = pipeline.send(call)
                .doOnNext(etags -> IntStream.range(0, etags.size())
                        .forEach(i -> done(
                                indexes.get(i),
                                Written.confirmed(
                                        etags.get(i), !operations.get(i).bound()))))
                .doOnTerminate(() -> after(
                        items.get(indexes.get(0)),
                        call.attempts(),
                        pipeline.doubt(call).untilOver()))
                .then()
                .onErrorMap(StorageException.class, e -> doomed(call.refusal(), e));
        return pipeline.observing().operation("transaction", call::resource, work);
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
                .doOnNext(written -> done(index, written))
                .doOnTerminate(() -> after(item, write.attempts(), write.held()))
                .then()
                .onErrorResume(StorageException.class, e -> ended(index, write.refusal(), e));
    }

    private Mono<Void> ended(int index, @Nullable ServiceError refusal, StorageException error) {
        Throwable doom = doomed(refusal, error);
        if (doom != error || !Replay.isFinal(error)) {
            return Mono.error(doom);
        }
        replies.set(
                index,
                error instanceof OutcomeUnknownException
                        ? new ItemReply.Unknown<>(error)
                        : new ItemReply.Failed<>(error));
        return Mono.empty();
    }

    private static Throwable doomed(@Nullable ServiceError refusal, StorageException error) {
        return refusal != null && Culprits.dooms(refusal) ? new Doom(error) : error;
    }

    private void done(int index, Written written) {
        replies.set(index, new ItemReply.Done<>(written));
    }

    private void after(LaneItem item, int attempts, Duration held) {
        item.counters().carried(0, attempts);
        later(held);
    }

    private synchronized void later(Duration untilOver) {
        ahead = untilOver.compareTo(ahead) > 0 ? untilOver : ahead;
    }

    private BatchReply<Written> reply() {
        List<ItemReply<Written>> all = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            ItemReply<Written> reply = replies.get(i);
            all.add(reply == null ? new ItemReply.Unsent<>() : reply);
        }
        return new BatchReply.PerItem<>(all);
    }
}

package io.stowline.queue.internal.client;

import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.shard.RotatingSender;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.queue.internal.shard.ShardRotation;
import io.stowline.queue.internal.shard.ShardedChannel;
import io.stowline.queue.internal.shard.SuccessiveReceives;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The common part of both faces of a sharded queue. Thread-safe. */
final class ShardContext<T> {

    private static final int AT_ONCE = 16;

    private final ShardLayout layout;
    private final ShardRotation rotation;
    private final AtomicInteger receives;
    private final List<QueueContext<T>> shards;
    private final RotatingSender sender;

    ShardContext(ShardLayout layout, ShardRotation rotation, AtomicInteger receives, List<QueueContext<T>> shards) {
        this.layout = layout;
        this.rotation = rotation;
        this.receives = receives;
        this.shards = List.copyOf(shards);
        this.sender = new RotatingSender(
                this.shards.stream()
                        .limit(layout.sendTo())
                        .map(QueueContext::operations)
                        .toList(),
                rotation);
    }

    /** Returns the shards of a client, with bodies of this type. */
    static <T> ShardContext<T> of(ConsumerRegistry client, ShardLayout layout, Class<T> type) {
        List<QueueContext<T>> shards = layout.queues().stream()
                .map(name -> DefaultMessageQueue.context(client, name, type).in(layout))
                .toList();
        int first = client.random().nextInt(layout.receiveFrom());
        return new ShardContext<>(
                layout,
                new ShardRotation(layout.sendTo(), first % layout.sendTo(), client.timer()),
                new AtomicInteger(first),
                shards);
    }

    <R> ShardContext<R> with(Function<? super MessageQueue<T>, MessageQueue<R>> view) {
        Objects.requireNonNull(view, "view");
        return new ShardContext<>(
                layout,
                rotation,
                receives,
                shards.stream().map(shard -> viewed(shard, view)).toList());
    }

    private static <T, R> QueueContext<R> viewed(
            QueueContext<T> shard, Function<? super MessageQueue<T>, MessageQueue<R>> view) {
        QueueContext<R> changed = DefaultMessageQueue.contextOf(
                Objects.requireNonNull(view.apply(new DefaultMessageQueue<>(shard)), "the result of view"));
        if (!Objects.equals(changed.shards(), shard.shards())
                || !changed.operations().name().equals(shard.operations().name())) {
            throw new IllegalArgumentException("view must return a view of the queue that it is given, "
                    + shard.operations().name() + ", not "
                    + changed.operations().name());
        }
        return changed;
    }

    ShardLayout layout() {
        return layout;
    }

    List<QueueContext<T>> shards() {
        return shards;
    }

    Callbacks callbacks() {
        return shards.get(0).callbacks();
    }

    QueueContext<T> shardOf(String key) {
        return shards.get(layout.shardOf(Objects.requireNonNull(key, "key")));
    }

    QueueContext<T> shardOf(ReceivedMessage<?> message) {
        Objects.requireNonNull(message, "message");
        return shardNamed(DefaultReceivedMessage.of(message).header().queue(), message.id());
    }

    QueueContext<T> shardOf(SendResult message) {
        Objects.requireNonNull(message, "message");
        return shardNamed(message.queue(), message.id());
    }

    private QueueContext<T> shardNamed(String queue, String id) {
        int shard = layout.indexOf(queue);
        if (shard < 0) {
            throw new IllegalArgumentException("message " + id + " is in queue " + queue + ", which is none of the "
                    + layout.receiveFrom() + " shards of " + layout.name());
        }
        return shards.get(shard);
    }

    Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return send(body, MessageSender.chosen(settings));
    }

    private Mono<SendResult> send(T body, SendSettings settings) {
        return new MessageSender<>(shards.get(0), sender::send).send(body, settings);
    }

    private Mono<SendResult> send(T body, @Nullable String key, SendSettings settings) {
        return key == null ? send(body, settings) : shardOf(key).sender().send(body, settings);
    }

    Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies,
            Function<? super T, @Nullable String> key,
            UnaryOperator<SendSettings.Builder> settings) {
        Objects.requireNonNull(bodies, "bodies");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(settings, "settings");
        return MessageSender.outcomes(bodies, body -> send(body, key.apply(body), MessageSender.ofEach(settings)));
    }

    /**
     * Receives messages from the shards in turn, beginning with another one each time. Messages of one shard come in
     * time, whatever the others do.
     */
    Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        return whole(
                "receive",
                Mono.defer(() -> {
                            SuccessiveReceives receiving = new SuccessiveReceives(lease);
                            return gathered(max, (shard, left) -> receiving.from(shard.operations(), left));
                        })
                        .flatMap(deliveries -> shards.get(0).opened(deliveries, lease)));
    }

    /** Requests to all shards are one operation: closing the client waits for all of it. */
    private <R> Mono<R> whole(String verb, Mono<R> work) {
        return shards.get(0).operations().asOperation(verb, layout::name, work);
    }

    List<ReceivedMessage<T>> received(List<DeliveredMessage> deliveries) {
        return deliveries.stream().flatMap(this::received).toList();
    }

    private Stream<ReceivedMessage<T>> received(DeliveredMessage delivery) {
        QueueContext<T> shard =
                shards.get(layout.indexOf(delivery.view().header().queue()));
        return shard.received(List.of(delivery)).stream();
    }

    Mono<List<MessageView>> peek(int max) {
        return whole("peek", gathered(max, (shard, left) -> shard.peek(left)));
    }

    /**
     * A shard that fails does not hide the messages of the others; without any message its failure is that of the call.
     */
    private <M> Mono<List<M>> gathered(int max, BiFunction<QueueContext<T>, Integer, Mono<List<M>>> ask) {
        return Mono.defer(() -> {
            int first = Math.floorMod(receives.getAndIncrement(), shards.size());
            List<M> all = new ArrayList<>();
            List<StorageException> failures = new ArrayList<>();
            return Flux.range(0, shards.size())
                    .concatMap(
                            turn -> all.size() >= max && turn > 0
                                    ? Mono.<List<M>>empty()
                                    : ask.apply(shards.get((first + turn) % shards.size()), max - all.size())
                                            .doOnNext(all::addAll)
                                            .onErrorResume(StorageException.class, e -> {
                                                failures.add(e);
                                                return Mono.empty();
                                            }),
                            1)
                    .then(Mono.defer(
                            () -> all.isEmpty() && !failures.isEmpty() ? Mono.error(failures.get(0)) : Mono.just(all)));
        });
    }

    List<PeekedMessage<T>> peeked(List<MessageView> peeked) {
        return shards.get(0).peeked(peeked);
    }

    /** Returns the results of all shards, in order; a failure does not keep the others from their tries. */
    private <R> Mono<List<R>> each(String verb, Function<QueueOperations, Mono<R>> operation) {
        return whole(verb, Mono.defer(() -> {
            List<StorageException> failures = Collections.synchronizedList(new ArrayList<>());
            return Flux.fromIterable(shards)
                    .flatMapSequential(
                            shard -> operation.apply(shard.operations()).onErrorResume(StorageException.class, e -> {
                                failures.add(e);
                                return Mono.empty();
                            }),
                            AT_ONCE)
                    .collectList()
                    .flatMap(results -> failures.isEmpty() ? Mono.just(results) : Mono.error(first(failures)));
        }));
    }

    private static StorageException first(List<StorageException> failures) {
        StorageException first = failures.get(0);
        failures.stream().skip(1).forEach(first::addSuppressed);
        return first;
    }

    Mono<Boolean> createIfMissing() {
        return each("create", QueueOperations::createIfMissing).map(made -> made.contains(true));
    }

    Mono<Boolean> dropIfExists() {
        return each("delete", QueueOperations::deleteIfExists).map(removed -> removed.contains(true));
    }

    Mono<Boolean> exists() {
        return each("exists", QueueOperations::exists).map(found -> !found.contains(false));
    }

    Mono<Void> clear() {
        return each("clear", QueueOperations::clear).then();
    }

    Mono<Long> approximateCount() {
        return each("approximateCount", QueueOperations::approximateCount)
                .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
    }

    QueueConsumer.Builder consume(Function<QueueContext<T>, DefaultConsumerBuilder> prepared) {
        return prepared.apply(shards.get(0)).over(this::channel);
    }

    private MessageChannel channel() {
        return new ShardedChannel(
                layout.name(),
                shards.stream().<MessageChannel>map(QueueContext::channel).toList());
    }

    @Override
    public String toString() {
        return layout.name() + ", sendTo=" + layout.sendTo() + ", receiveFrom=" + layout.receiveFrom();
    }
}

package io.stowline.queue.internal.client;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.queue.ReactiveShardedQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** {@link ReactiveShardedQueue} that delivers the operations of its {@link ShardContext}. */
final class DefaultReactiveShardedQueue<T> implements ReactiveShardedQueue<T> {

    private final ShardContext<T> context;

    DefaultReactiveShardedQueue(ShardContext<T> context) {
        this.context = context;
    }

    @Override
    public String name() {
        return context.layout().name();
    }

    @Override
    public List<ReactiveMessageQueue<T>> shards() {
        return context.shards().stream()
                .<ReactiveMessageQueue<T>>map(DefaultReactiveMessageQueue::new)
                .toList();
    }

    @Override
    public ReactiveMessageQueue<T> shardOf(String key) {
        return new DefaultReactiveMessageQueue<>(context.shardOf(key));
    }

    @Override
    public ReactiveMessageQueue<T> shardOf(ReceivedMessage<?> message) {
        return new DefaultReactiveMessageQueue<>(context.shardOf(message));
    }

    @Override
    public ReactiveMessageQueue<T> shardOf(SendResult message) {
        return new DefaultReactiveMessageQueue<>(context.shardOf(message));
    }

    @Override
    public Mono<Boolean> createIfMissing() {
        return delivered(context::createIfMissing);
    }

    @Override
    public Mono<Boolean> dropIfExists() {
        return delivered(context::dropIfExists);
    }

    @Override
    public Mono<Boolean> exists() {
        return delivered(context::exists);
    }

    @Override
    public Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return delivered(() -> context.send(body, settings));
    }

    @Override
    public Mono<SendResult> send(T body, String key, UnaryOperator<SendSettings.Builder> settings) {
        return delivered(() -> context.shardOf(key).sender().send(body, settings));
    }

    @Override
    public Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies,
            Function<? super T, @Nullable String> key,
            UnaryOperator<SendSettings.Builder> settings) {
        return delivered(() -> context.sendAll(bodies, key, settings));
    }

    @Override
    public Mono<List<ReceivedMessage<T>>> receive(int max) {
        return receive(max, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public Mono<List<ReceivedMessage<T>>> receive(int max, Duration lease) {
        return delivered(() -> context.receive(max, lease)).map(context::received);
    }

    @Override
    public Mono<List<PeekedMessage<T>>> peek(int max) {
        return delivered(() -> context.peek(max)).map(context::peeked);
    }

    @Override
    public Mono<WriteResult> delete(ReceivedMessage<?> message) {
        return delivered(() -> context.shardOf(message).delete(message));
    }

    @Override
    public MessageLease<T> hold(ReceivedMessage<T> message) {
        return context.shardOf(message).hold(message, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public Mono<Void> clear() {
        return delivered(context::clear);
    }

    @Override
    public Mono<Long> approximateCount() {
        return delivered(context::approximateCount);
    }

    @Override
    public QueueConsumer.Builder consume(Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        return context.consume(shard -> shard.consumeReactively(handler));
    }

    @Override
    public ReactivePoisonQueue<T> poison() {
        return new DefaultReactivePoisonQueue<>(context.shards().get(0), true);
    }

    @Override
    public <R> ReactiveShardedQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view) {
        return new DefaultReactiveShardedQueue<>(context.with(view));
    }

    private <R> Mono<R> delivered(Supplier<Mono<R>> operation) {
        return context.callbacks().deliver(Mono.defer(operation));
    }

    @Override
    public String toString() {
        return "ReactiveShardedQueue[" + context + "]";
    }
}

package io.stowline.queue.internal.client;

import io.stowline.error.internal.PrintableText;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.ReactiveShardedQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import io.stowline.queue.ShardSettings;
import io.stowline.queue.ShardedQueue;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.queue.internal.shard.ShardLayout;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@link ShardedQueue} that waits for the operations of its {@link ShardContext}. */
public final class DefaultShardedQueue<T> implements ShardedQueue<T> {

    private final ShardContext<T> context;

    DefaultShardedQueue(ShardContext<T> context) {
        this.context = context;
    }

    public static <T> ShardedQueue<T> of(
            ConsumerRegistry client, String name, Class<T> type, UnaryOperator<ShardSettings.Builder> settings) {
        ShardSettings chosen = Objects.requireNonNull(settings.apply(ShardSettings.builder()), "the result of settings")
                .build();
        if (chosen.sendTo() == 0) {
            throw new IllegalArgumentException("sendTo of the sharded queue " + PrintableText.of(name) + " is not set");
        }
        ShardLayout layout = new ShardLayout(name, chosen.sendTo(), chosen.receiveFrom());
        return new DefaultShardedQueue<>(ShardContext.of(client, layout, type));
    }

    @Override
    public String name() {
        return context.layout().name();
    }

    @Override
    public List<MessageQueue<T>> shards() {
        return context.shards().stream()
                .<MessageQueue<T>>map(DefaultMessageQueue::new)
                .toList();
    }

    @Override
    public MessageQueue<T> shardOf(String key) {
        return new DefaultMessageQueue<>(context.shardOf(key));
    }

    @Override
    public MessageQueue<T> shardOf(ReceivedMessage<?> message) {
        return new DefaultMessageQueue<>(context.shardOf(message));
    }

    @Override
    public MessageQueue<T> shardOf(SendResult message) {
        return new DefaultMessageQueue<>(context.shardOf(message));
    }

    @Override
    public ReactiveShardedQueue<T> reactive() {
        return new DefaultReactiveShardedQueue<>(context);
    }

    @Override
    public boolean createIfMissing() {
        return BlockingAwait.result(context.createIfMissing());
    }

    @Override
    public boolean dropIfExists() {
        return BlockingAwait.result(context.dropIfExists());
    }

    @Override
    public boolean exists() {
        return BlockingAwait.result(context.exists());
    }

    @Override
    public SendResult send(T body, UnaryOperator<SendSettings.Builder> settings) {
        return BlockingAwait.result(context.send(body, settings));
    }

    @Override
    public SendResult send(T body, String key, UnaryOperator<SendSettings.Builder> settings) {
        return BlockingAwait.result(context.shardOf(key).sender().send(body, settings));
    }

    @Override
    public List<ItemResult<T, SendResult>> sendAll(
            Iterable<? extends T> bodies,
            Function<? super T, @Nullable String> key,
            UnaryOperator<SendSettings.Builder> settings) {
        return BlockingAwait.result(context.sendAll(bodies, key, settings));
    }

    @Override
    public List<ReceivedMessage<T>> receive(int max) {
        return receive(max, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public List<ReceivedMessage<T>> receive(int max, Duration lease) {
        return context.received(BlockingAwait.result(context.receive(max, lease)));
    }

    @Override
    public List<PeekedMessage<T>> peek(int max) {
        return context.peeked(BlockingAwait.result(context.peek(max)));
    }

    @Override
    public WriteResult delete(ReceivedMessage<?> message) {
        return BlockingAwait.result(context.shardOf(message).delete(message));
    }

    @Override
    public MessageLease<T> hold(ReceivedMessage<T> message) {
        return context.shardOf(message).hold(message, QueueTimeLimits.DEFAULT_LEASE);
    }

    @Override
    public void clear() {
        BlockingAwait.on(context.clear());
    }

    @Override
    public long approximateCount() {
        return BlockingAwait.result(context.approximateCount());
    }

    @Override
    public QueueConsumer.Builder consume(QueueConsumer.Handler<MessageLease<T>> handler) {
        return context.consume(shard -> shard.consume(handler));
    }

    @Override
    public QueueConsumer.Builder consumeBatches(int size, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler) {
        return context.consume(shard -> shard.consumeBatches(size, handler));
    }

    @Override
    public PoisonQueue<T> poison() {
        return new DefaultPoisonQueue<>(context.shards().get(0));
    }

    @Override
    public <R> ShardedQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view) {
        return new DefaultShardedQueue<>(context.with(view));
    }

    @Override
    public String toString() {
        return "ShardedQueue[" + context + "]";
    }
}

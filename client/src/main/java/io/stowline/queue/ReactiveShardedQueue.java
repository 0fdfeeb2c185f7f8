package io.stowline.queue;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * The non-blocking face of a {@link ShardedQueue}: the same methods, as {@code Mono}. Nothing is sent before a subscription. Each
 * subscription starts a separate operation; cancelling it sends nothing more. Bodies are decoded and results arrive on the callback threads.
 *
 * <p>Thread-safe. Failures are those of {@link ShardedQueue}.
 *
 * @param <T> the type of the bodies
 */
public interface ReactiveShardedQueue<T> {

    /**
     * Returns the name that the shards share.
     *
     * @return the name
     */
    String name();

    /**
     * Returns all shards that messages are received from; see {@link ShardedQueue#shards}.
     *
     * @return the queues, unmodifiable
     */
    List<ReactiveMessageQueue<T>> shards();

    /**
     * Returns the shard that messages with a key go to.
     *
     * @param key the key
     * @return its queue
     */
    ReactiveMessageQueue<T> shardOf(String key);

    /**
     * Returns the shard that a message was received from.
     *
     * @param message the message
     * @return its queue
     * @throws IllegalArgumentException if the message is from another queue
     */
    ReactiveMessageQueue<T> shardOf(ReceivedMessage<?> message);

    /**
     * Returns the shard that a message was sent to.
     *
     * @param message what its send gave
     * @return its queue
     * @throws IllegalArgumentException if the message was sent to another queue
     */
    ReactiveMessageQueue<T> shardOf(SendResult message);

    /**
     * Creates the shards that do not exist; see {@link ShardedQueue#createIfMissing}.
     *
     * @return whether any was made
     */
    Mono<Boolean> createIfMissing();

    /**
     * Removes the shards that exist; see {@link ShardedQueue#dropIfExists}.
     *
     * @return whether any was removed
     */
    Mono<Boolean> dropIfExists();

    /**
     * Returns whether all shards are there.
     *
     * @return whether they are
     */
    Mono<Boolean> exists();

    /**
     * Puts a message into the next shard in turn; see {@link ShardedQueue#send(Object)}.
     *
     * @param body its body
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    default Mono<SendResult> send(T body) {
        return send(body, settings -> settings);
    }

    /**
     * Puts a message into the next shard in turn; see {@link ShardedQueue#send(Object, UnaryOperator)}.
     *
     * @param body its body
     * @param settings sets when it is visible and how long it is kept
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    Mono<SendResult> send(T body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts a message into the shard of a key; see {@link ShardedQueue#send(Object, String)}.
     *
     * @param body its body
     * @param key what messages of one shard have in common
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    default Mono<SendResult> send(T body, String key) {
        return send(body, key, settings -> settings);
    }

    /**
     * Puts a message into the shard of a key; see {@link ShardedQueue#send(Object, String, UnaryOperator)}.
     *
     * @param body its body
     * @param key what messages of one shard have in common
     * @param settings sets when it is visible and how long it is kept
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    Mono<SendResult> send(T body, String key, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts many messages into the shards in turn; see {@link ShardedQueue#sendAll(Iterable)}.
     *
     * @param bodies their bodies
     * @return what became of each, in the order of the bodies
     */
    default Mono<List<ItemResult<T, SendResult>>> sendAll(Iterable<? extends T> bodies) {
        return sendAll(bodies, body -> null);
    }

    /**
     * Puts many messages into the shards of their keys; see {@link ShardedQueue#sendAll(Iterable, Function)}.
     *
     * @param bodies their bodies
     * @param key gives the key of a body, or {@code null} for the next shard in turn
     * @return what became of each, in the order of the bodies
     */
    default Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies, Function<? super T, @Nullable String> key) {
        return sendAll(bodies, key, settings -> settings);
    }

    /**
     * Puts many messages into the shards of their keys; see {@link ShardedQueue#sendAll(Iterable, Function, UnaryOperator)}.
     *
     * @param bodies their bodies
     * @param key gives the key of a body, or {@code null} for the next shard in turn
     * @param settings sets when they are visible and how long they are kept
     * @return what became of each, in the order of the bodies
     */
    Mono<List<ItemResult<T, SendResult>>> sendAll(
            Iterable<? extends T> bodies,
            Function<? super T, @Nullable String> key,
            UnaryOperator<SendSettings.Builder> settings);

    /**
     * Receives messages, hidden from others for 30 seconds; see {@link ShardedQueue#receive(int)}.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, an empty list if there are none to be had
     */
    Mono<List<ReceivedMessage<T>>> receive(int max);

    /**
     * Receives messages; see {@link ShardedQueue#receive(int, Duration)}.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, an empty list if there are none to be had
     */
    Mono<List<ReceivedMessage<T>>> receive(int max, Duration lease);

    /**
     * Looks at messages; see {@link ShardedQueue#peek}.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, an empty list if none are
     */
    Mono<List<PeekedMessage<T>>> peek(int max);

    /**
     * Removes a message from its shard; see {@link ShardedQueue#delete}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return its result
     */
    Mono<WriteResult> delete(ReceivedMessage<?> message);

    /**
     * Holds a received message; see {@link ShardedQueue#hold}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return the held message, whose {@link MessageLease#reactive()} has its verbs without blocking
     */
    MessageLease<T> hold(ReceivedMessage<T> message);

    /**
     * Removes all messages from all shards; see {@link ShardedQueue#clear}.
     *
     * @return the end of it
     */
    Mono<Void> clear();

    /**
     * Returns how many messages there are in all shards; see {@link ShardedQueue#approximateCount}.
     *
     * @return about the number, never less than it
     */
    Mono<Long> approximateCount();

    /**
     * Prepares a consumer of all shards, whose handler gives a publisher; see {@link ReactiveMessageQueue#consume} and {@link
     * ShardedQueue#consume}.
     *
     * @param handler handles a message: the completion of its publisher completes the message, an error has it received again
     * @return the consumer's settings; it runs after {@link QueueConsumer.Builder#start}
     */
    QueueConsumer.Builder consume(Function<? super MessageLease<T>, ? extends Publisher<?>> handler);

    /**
     * Returns the poison queue that all shards share; see {@link ShardedQueue#poison}.
     *
     * @return the poison queue
     */
    ReactivePoisonQueue<T> poison();

    /**
     * Returns the same sharded queue with another view of each shard; see {@link ShardedQueue#withView}.
     *
     * @param view gives a view of the queue that it is given, the same one for all
     * @param <R> the type of the bodies
     * @return the narrowed sharded queue; making it costs nothing
     */
    <R> ReactiveShardedQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view);
}

package io.stowline.queue;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Several queues as one, for more messages than one queue handles: the service's target is 2,000 messages a second for a queue.
 *
 * <pre>{@code
 * ShardedQueue<Order> wide = storage.shardedQueue("orders", Order.class, s -> s.sendTo(8).receiveFrom(8));
 * wide.createIfMissing();
 * wide.send(new Order("A-17", 3));
 * wide.send(new Order("A-18", 1), "customer 7");
 * QueueConsumer consumer = wide.consume(m -> System.out.println(m.body())).start();
 * }</pre>
 *
 * <p><b>Shards</b> are the queues {@code <name>-0}, {@code <name>-1} and so on. Messages go to the first {@link ShardSettings.Builder#sendTo} of them and
 * come from the first {@link ShardSettings.Builder#receiveFrom}. {@link #shards()} has each as a {@link MessageQueue}.
 *
 * <p><b>A message without a key</b> goes to the next shard in turn. A shard that is throttled is passed over for a second. A message that a
 * shard has certainly not stored is sent to another one; one that it may have stored is sent again to the same one. A shard that does not
 * exist is not passed over: the send fails with {@link io.stowline.error.NotFoundException}.
 *
 * <p><b>A message with a key</b> goes to the shard of its key: the jump consistent hash (Lamping and Veach) of the first 8 bytes, big-endian,
 * of the SHA-256 of the key in UTF-8, over {@code sendTo} shards. All processes and all versions agree on it. When {@code sendTo} grows from
 * <i>a</i> to <i>b</i>, the share 1 - <i>a</i>/<i>b</i> of the keys moves, to new shards only. The order of messages with one key is roughly that of the
 * sends, as in any queue, except around such a change.
 *
 * <p><b>Delivery</b>, bodies, limits, failures and lost responses are those of {@link MessageQueue}.
 *
 * <p>Thread-safe; works on platform and virtual threads, and refuses to block an event loop. {@link #reactive()} has the same methods
 * without blocking.
 *
 * @param <T> the type of the bodies
 */
public interface ShardedQueue<T> {

    /**
     * Returns the name that the shards share.
     *
     * @return the name
     */
    String name();

    /**
     * Returns all shards that messages are received from, in order. Those that get messages are the first ones.
     *
     * @return the queues, with the poison queue of this sharded queue; unmodifiable
     */
    List<MessageQueue<T>> shards();

    /**
     * Returns the shard that messages with a key go to.
     *
     * @param key the key
     * @return its queue
     */
    MessageQueue<T> shardOf(String key);

    /**
     * Returns the shard that a message was received from: for what is not offered here, such as updates.
     *
     * @param message the message
     * @return its queue
     * @throws IllegalArgumentException if the message is from another queue
     */
    MessageQueue<T> shardOf(ReceivedMessage<?> message);

    /**
     * Returns the shard that a message was sent to, which can {@linkplain MessageQueue#delete(SendResult) take it back}.
     *
     * @param message what its send gave
     * @return its queue
     * @throws IllegalArgumentException if the message was sent to another queue
     */
    MessageQueue<T> shardOf(SendResult message);

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this sharded queue
     */
    ReactiveShardedQueue<T> reactive();

    /**
     * Creates the shards that do not exist; see {@link MessageQueue#createIfMissing}. If one fails, the others are still created.
     *
     * @return true if any was made by this call
     */
    boolean createIfMissing();

    /**
     * Removes the shards that exist, with all their messages, but not the poison queue.
     *
     * @return true if any was removed
     */
    boolean dropIfExists();

    /**
     * Returns whether all shards are there.
     *
     * @return whether they are
     */
    boolean exists();

    /**
     * Puts a message into the next shard in turn, visible at once, kept for 7 days; see {@link MessageQueue#send(Object)}.
     *
     * @param body its body
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    default SendResult send(T body) {
        return send(body, settings -> settings);
    }

    /**
     * Puts a message into the next shard in turn.
     *
     * @param body its body
     * @param settings sets when it is visible and how long it is kept
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    SendResult send(T body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts a message into the shard of a key, visible at once, kept for 7 days. If that shard fails, the send fails.
     *
     * @param body its body
     * @param key what messages of one shard have in common; it is not stored
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    default SendResult send(T body, String key) {
        return send(body, key, settings -> settings);
    }

    /**
     * Puts a message into the shard of a key.
     *
     * @param body its body
     * @param key what messages of one shard have in common; it is not stored
     * @param settings sets when it is visible and how long it is kept
     * @return the message's shard, id and times, and whether it may be stored twice
     */
    SendResult send(T body, String key, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts many messages into the shards in turn; see {@link MessageQueue#sendAll(Iterable)}.
     *
     * @param bodies their bodies
     * @return what became of each, in the order of the bodies
     */
    default List<ItemResult<T, SendResult>> sendAll(Iterable<? extends T> bodies) {
        return sendAll(bodies, body -> null);
    }

    /**
     * Puts many messages into the shards of their keys; see {@link MessageQueue#sendAll(Iterable)}.
     *
     * @param bodies their bodies
     * @param key gives the key of a body, or {@code null} for the next shard in turn
     * @return what became of each, in the order of the bodies
     */
    default List<ItemResult<T, SendResult>> sendAll(
            Iterable<? extends T> bodies, Function<? super T, @Nullable String> key) {
        return sendAll(bodies, key, settings -> settings);
    }

    /**
     * Puts many messages into the shards of their keys; see {@link MessageQueue#sendAll(Iterable, UnaryOperator)}.
     *
     * @param bodies their bodies
     * @param key gives the key of a body, or {@code null} for the next shard in turn
     * @param settings sets when they are visible and how long they are kept
     * @return what became of each, in the order of the bodies
     */
    List<ItemResult<T, SendResult>> sendAll(
            Iterable<? extends T> bodies,
            Function<? super T, @Nullable String> key,
            UnaryOperator<SendSettings.Builder> settings);

    /**
     * Receives messages, hidden from others for 30 seconds; see {@link #receive(int, Duration)}.
     *
     * @param max how many at most, 1 to 32
     * @return the messages, none if there are none to be had
     */
    List<ReceivedMessage<T>> receive(int max);

    /**
     * Receives messages from one shard after the other until there are enough or each shard has responded. Each call
     * begins with another shard. Without messages it is as many requests as there are shards. A shard that fails does
     * not keep back the messages of the others. One that hangs keeps them back for a third of the lease at most; what
     * it has hidden comes again after its lease. A shard that hangs before there are messages is passed over after a
     * third of the lease, 10 seconds at the least.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they are hidden from others, 1 second to 7 days
     * @return the messages, none if there are none to be had
     * @throws io.stowline.error.StorageException if a shard failed and no message was received
     */
    List<ReceivedMessage<T>> receive(int max, Duration lease);

    /**
     * Looks at messages without receiving them, in one shard after the other.
     *
     * @param max how many at most, 1 to 32
     * @return those that are visible, none if none are
     * @throws io.stowline.error.StorageException if a shard failed and no message was read
     */
    List<PeekedMessage<T>> peek(int max);

    /**
     * Removes a message from its shard for good; see {@link MessageQueue#delete(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it
     * @return its result
     * @throws io.stowline.error.PreconditionFailedException if the message is no longer ours
     * @throws io.stowline.error.OutcomeUnknownException if the response was lost and it is unknown whether the message is gone
     */
    WriteResult delete(ReceivedMessage<?> message);

    /**
     * Holds a received message: renews its lease, 30 seconds each time, until it is ended or lost; see {@link MessageQueue#hold(ReceivedMessage)}.
     *
     * @param message the message, as its latest receive or update gave it; it must not be updated or deleted beside the hold
     * @return the held message; to be closed
     */
    MessageLease<T> hold(ReceivedMessage<T> message);

    /** Removes all messages from all shards, hidden ones too; after a lost response perhaps twice, with what was sent in between. */
    void clear();

    /**
     * Returns how many messages there are in all shards, hidden ones too.
     *
     * @return about the number, never less than it
     */
    long approximateCount();

    /**
     * Prepares a consumer of all shards, whose blocking handler gets one message at a time; see {@link MessageQueue#consume}.
     *
     * <p>Its settings hold for all shards together, except that each shard is polled by its own pace: a shard without messages is
     * polled 6 to 8 times a minute, and a busy one does not keep the others waiting.
     *
     * @param handler handles a message; its return completes the message, an exception has it received again
     * @return the consumer's settings; it runs after {@link QueueConsumer.Builder#start}
     */
    QueueConsumer.Builder consume(QueueConsumer.Handler<MessageLease<T>> handler);

    /**
     * Prepares a consumer of all shards, whose blocking handler gets several messages at a time; see {@link MessageQueue#consumeBatches}. A batch may
     * have messages of several shards.
     *
     * @param size how many at most, 1 to 32; a handler starts with fewer when there are no more
     * @param handler handles messages; each has a separate result, see {@link QueueConsumer.Batch#fail}
     * @return the consumer's settings; its concurrency is the number of batches at a time
     * @throws IllegalArgumentException if the number is out of range
     */
    QueueConsumer.Builder consumeBatches(int size, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler);

    /**
     * Returns the queue {@code <name>-poison}, which all shards share. {@link PoisonQueue#redrive} sends a message back to its shard as long
     * as that exists and gets messages, and else to another one.
     *
     * @return the poison queue, which exists once it has got a message
     */
    PoisonQueue<T> poison();

    /**
     * Returns the same sharded queue with another view of each shard, such as {@code shard -> shard.withEncoding(QueueMessageEncoding.NONE)}.
     *
     * @param view gives a view of the queue that it is given, the same one for all
     * @param <R> the type of the bodies
     * @return the narrowed sharded queue; making it costs nothing
     * @throws IllegalArgumentException if it returns another queue
     */
    <R> ShardedQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view);
}

package io.stowline.ring;

import io.stowline.outcome.ItemResult;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.SendResult;
import io.stowline.queue.SendSettings;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A queue that exists in all accounts of a region. A message goes to the account of its placement; consumers receive from all accounts.
 *
 * <pre>{@code
 * RingQueue<Order> jobs = ring.queue("jobs", Order.class);
 * jobs.createIfMissing();
 * jobs.send("customer-17", order);
 * RingConsumer consumer = jobs.consume(message -> System.out.println(message.body()), c -> c.concurrency(4));
 * }</pre>
 *
 * <p>Delivery, bodies, limits and lost responses are those of {@link MessageQueue}. There is no order between accounts. When an account
 * joins or leaves, messages go to the placements after the change, and consumers receive from all accounts, so that no message has to be
 * moved.
 *
 * <p>Thread-safe; blocks, and works on platform and virtual threads.
 *
 * @param <T> the type of the bodies
 */
public interface RingQueue<T> {

    /**
     * Returns the queue's name.
     *
     * @return the name, the same in all accounts
     */
    String name();

    /**
     * Returns the queues of all accounts by the names of the accounts: for what is not offered here.
     *
     * @return the queues; unmodifiable
     */
    Map<String, MessageQueue<T>> queues();

    /**
     * Creates the queue in each account where it does not exist.
     *
     * @return whether any was made
     */
    boolean createIfMissing();

    /**
     * Returns whether the queue exists in all accounts.
     *
     * @return whether it does
     */
    boolean exists();

    /**
     * Removes the queue with all its messages from all accounts.
     *
     * @return whether it was there in any
     */
    boolean dropIfExists();

    /**
     * Returns about how many messages there are in all accounts, hidden ones too.
     *
     * @return the number, never less than it
     */
    long approximateCount();

    /**
     * Puts a message into the queue of the account of its placement, visible at once, kept for 7 days; see {@link MessageQueue#send(Object)}.
     *
     * @param placement decides on the account; it is not stored
     * @param body its body
     * @return the message's id and times, and whether it may be stored twice
     */
    default SendResult send(String placement, T body) {
        return send(placement, body, settings -> settings);
    }

    /**
     * Puts a message into the queue of the account of its placement.
     *
     * @param placement decides on the account; it is not stored
     * @param body its body
     * @param settings sets when it is visible and how long it is kept
     * @return the message's id and times, and whether it may be stored twice
     */
    SendResult send(String placement, T body, UnaryOperator<SendSettings.Builder> settings);

    /**
     * Puts many messages into the queues of the accounts of their placements, all accounts at once; see {@link MessageQueue#sendAll(Iterable)}.
     *
     * @param bodies their bodies
     * @param placement gives the placement of a body
     * @return the end of each, in the order of the bodies; a failed send is an outcome, and not thrown
     * @throws NullPointerException if a body or a placement is {@code null}; nothing was sent then
     */
    List<ItemResult<T, SendResult>> sendAll(Iterable<? extends T> bodies, Function<? super T, String> placement);

    /**
     * Starts a consumer of the queues of all accounts, whose blocking handler gets one message at a time.
     *
     * @param handler handles a message; its return completes the message, an exception has it received again
     * @param settings changes the default settings of the consumer of each account: its concurrency is that of one account
     * @return the consumer, which polls from now on
     */
    RingConsumer consume(QueueConsumer.Handler<MessageLease<T>> handler, UnaryOperator<QueueConsumer.Builder> settings);

    /**
     * Starts a consumer of the queues of all accounts, whose blocking handler gets several messages of one account at a time.
     *
     * @param size how many at most, 1 to 32
     * @param handler handles messages; each has a separate result
     * @param settings changes the default settings of the consumer of each account
     * @return the consumer, which polls from now on
     * @throws IllegalArgumentException if the number is out of range
     */
    RingConsumer consumeBatches(
            int size,
            QueueConsumer.Handler<QueueConsumer.Batch<T>> handler,
            UnaryOperator<QueueConsumer.Builder> settings);

    /**
     * Returns the same queue with another view of the queue of each account, such as {@code queue -> queue.withEncoding(QueueMessageEncoding.NONE)}.
     *
     * @param view gives a view of the queue that it is given, the same one for all
     * @param <R> the type of the bodies
     * @return the narrowed queue; making it costs nothing
     */
    <R> RingQueue<R> withView(Function<? super MessageQueue<T>, MessageQueue<R>> view);
}

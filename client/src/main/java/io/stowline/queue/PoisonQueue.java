package io.stowline.queue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The queue {@code <name>-poison} beside a queue, with the messages that consumers could not handle. Its messages never
 * expire. The name of a queue of more than 56 characters leaves no room for that: its first 47 characters, a checksum
 * of the name and {@code -poison} make the name of its poison queue.
 *
 * <pre>{@code
 * for (PoisonQueue.Message<Order> message : orders.poison().peek(32)) {
 *     System.out.println(message.id() + " " + message.reason() + " " + message.error());
 * }
 * orders.poison().redrive(message -> message.error().orElse("").contains("TimeoutException"));
 * }</pre>
 *
 * <p>A consumer copies a message there before it deletes the original. A crash in between, or a lost response, leaves
 * two copies with the same {@link Message#id()}. The copy is JSON with the body's text and the reason. If that has no
 * room in a message, the body is compressed; a body that is still too large is copied as it is, without the reason.
 * Bodies that other programs have put there, such as Azure Functions, are read too.
 *
 * <p>Thread-safe. The queue is created with its first message; until then it counts as empty. Failures are those of {@link MessageQueue}.
 *
 * @param <T> the type of the bodies
 */
public interface PoisonQueue<T> {

    /**
     * Returns the name of the poison queue.
     *
     * @return the name
     */
    String name();

    /**
     * Returns the non-blocking form of these methods.
     *
     * @return the reactive face of this queue
     */
    ReactivePoisonQueue<T> reactive();

    /**
     * Returns how many messages there are.
     *
     * @return about the number, never less than it
     */
    long count();

    /**
     * Looks at messages without changing anything.
     *
     * @param max how many at most, 1 to 32
     * @return the first ones, an empty list if there are none
     */
    List<Message<T>> peek(int max);

    /**
     * Sends messages back to the queue that this poison queue belongs to, visible at once, and deletes them here. Of a queue and a sharded queue that
     * share it, each goes to the one that its copy names, unless that is gone. Each is kept again for as long
     * as its original was to be kept; for 7 days if the copy lacks it. Each is sent before it is deleted: a crash in between leaves it in both queues. Each gets a new id, and its failures count from zero.
     * A body in a blob is written again, so that neither of two such messages takes the body of the other. A message whose body cannot be read from
     * its blob now stays, and the call fails.
     *
     * <p>The call sees every message that is visible when it begins, and leaves those that are put here later: a consumer that runs beside it and
     * poisons the same messages again does not keep it from its end. Those that the filter refuses are hidden for 30 seconds, and visible again at
     * the end of the call at the latest. So are those that were not sent when the call fails, or is interrupted or cancelled; those that a
     * closing client leaves are visible after 30 seconds. A receive whose response is lost hides up to 32 messages: the call waits for 31 seconds
     * and goes on.
     *
     * @param filter which messages; called on the callback threads, one message after the other
     * @return how many were moved
     * @throws io.stowline.error.NotFoundException if no queue exists that they can go back to
     */
    long redrive(Predicate<? super Message<T>> filter);

    /**
     * Removes chosen messages, and with {@code claimCheck} their bodies in blobs. The call sees the same messages as {@link #redrive}, and hides
     * and shows those that stay as that does.
     *
     * @param filter which messages; called on the callback threads, one message after the other
     * @return how many were removed
     */
    long remove(Predicate<? super Message<T>> filter);

    /**
     * Looks at all messages, of which {@link #peek} sees the first 32 only: a queue has no pages. The messages are received for that. They are hidden
     * for 30 seconds, and visible again at the end of the call at the latest.
     *
     * @param action receives each message; called on the callback threads, one message after the other. What it throws ends the call
     */
    void forEach(Consumer<? super Message<T>> action);

    /**
     * Removes all messages, hidden ones too, and with {@code claimCheck} their bodies in blobs. Bodies of messages that another call has
     * hidden, or that come while the call runs, are left to {@link MessageQueue#sweepBodies}. After a failure some messages may be removed; the call can be repeated.
     */
    void clear();

    /**
     * A message in a poison queue. Immutable as far as the body is. Its text form does not show the body.
     *
     * @param <T> the type of the body
     */
    interface Message<T> {

        /**
         * Returns the body.
         *
         * @return the value
         * @throws UndecodableMessageException if the codec cannot read it; {@link #raw()} has the text
         */
        T body();

        /**
         * Returns whether the codec can read the body.
         *
         * @return whether {@link #body()} gives it
         */
        boolean isDecodable();

        /**
         * Returns the text of the original message as the service gave it.
         *
         * @return the text
         */
        String raw();

        /**
         * Returns the id of the original message.
         *
         * @return the id, if the copy has it
         */
        Optional<String> id();

        /**
         * Returns where the message comes from.
         *
         * @return the queue's name, if the copy has it
         */
        Optional<String> queue();

        /**
         * Returns why it is poison, such as {@code failed 5 times}, in one line.
         *
         * @return the reason, if the copy has it
         */
        Optional<String> reason();

        /**
         * Returns what its last handling threw: the class and the first 1,000 characters of the text, in one line. Control characters are escaped.
         *
         * @return the error, if the copy has it
         */
        Optional<String> error();

        /**
         * Returns how often the original was received.
         *
         * @return the number; 0 if the copy lacks it
         */
        long deliveries();

        /**
         * Returns how many of its handlings the process that moved it has seen fail.
         *
         * @return the number; 0 if the copy lacks it
         */
        int failures();

        /**
         * Returns when the original was put into its queue.
         *
         * @return the time by the service's clock, if the copy has it
         */
        Optional<Instant> insertedAt();

        /**
         * Returns when it became poison.
         *
         * @return the time by the clock of the consumer, if the copy has it
         */
        Optional<Instant> poisonedAt();
    }
}

package io.stowline.queue;

import io.stowline.error.StorageException;
import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A message that is held: its lease is renewed until it ends. A {@link QueueConsumer} gives it to its handler, and
 * {@link MessageQueue#hold(ReceivedMessage)} makes one for a message that was received by hand.
 *
 * <p>A message ends once, by {@link #complete}, {@link #retryIn}, {@link #poison} or {@link #close}. In a handler of a consumer none of these is
 * needed: its return completes the message, and an exception has it received again. A handler that ends its message itself still
 * returns; the consumer then does nothing more for the message.
 *
 * <p><b>Renewal</b> takes place at half of the lease, counted from the attempt that got the last response. A renewal that fails is repeated
 * until the lease certainly ends. It uses the newest receipt only.
 *
 * <p><b>Loss</b>: the message is lost when the lease has certainly ended without a renewal, when another client has received or removed
 * it, or when it was held for its longest time. Then {@link #isLost()} is true, the tasks of {@link #onLost} run, and a consumer interrupts
 * the handler or cancels its publisher. A lost message is never deleted; it is received again, here or elsewhere.
 *
 * <p>Thread-safe, as far as the body is.
 *
 * @param <T> the type of the body
 */
public interface MessageLease<T> extends AutoCloseable {

    /**
     * Returns the body.
     *
     * @return the value
     * @throws UndecodableMessageException if the codec cannot read it, which never happens in a handler of a consumer
     */
    T body();

    /**
     * Returns the text of the message as the service gave it, Base64 and all.
     *
     * @return the text
     */
    String raw();

    /**
     * Returns the message's id, which it keeps for life.
     *
     * @return the id
     */
    String id();

    /**
     * Returns the id of the envelope, which all copies of one send share, or else the message's {@link #id}.
     *
     * @return the id, by which a handler can know a copy
     */
    String eventId();

    /**
     * Returns the newest checkpoint of the message, also one that another process has stored.
     *
     * @return what {@link #checkpoint(String)} noted; empty if there is none, or the message has no envelope
     */
    Optional<String> checkpoint();

    /**
     * Stores how far the handling has come in the message, so that its next handler can go on from there. That renews the lease, too. A
     * failing service is retried until the lease certainly ends.
     *
     * @param text the checkpoint, at most 1,000 bytes of JSON in UTF-8; it replaces the one before
     * @throws IllegalArgumentException if it is too long, has an unpaired surrogate, or XML cannot carry it
     * @throws LeaseLostException if the message is lost, or becomes so before the checkpoint is stored
     * @throws io.stowline.error.OutcomeUnknownException if the message is lost after an update with the checkpoint had no response: it may be
     *     stored
     * @throws IllegalStateException if the message has been ended, or has no envelope of {@link MessageQueue#withEnvelope}
     */
    void checkpoint(String text);

    /**
     * Returns how often the message was received, this time included. A receive whose response was lost counts too.
     *
     * @return the number, 1 at first
     */
    long dequeueCount();

    /**
     * Returns when the message was put into the queue.
     *
     * @return the time, by the service's clock
     */
    Instant insertedAt();

    /**
     * Returns when the service will drop the message.
     *
     * @return the time, by the service's clock; the end of the year 9999 if never
     */
    Instant expiresAt();

    /**
     * Returns how long no other client can certainly have the message. A renewal prolongs it.
     *
     * @return the time; zero once the message is lost or ends
     */
    Duration remaining();

    /**
     * Returns whether the message may belong to another client.
     *
     * @return whether it is lost
     */
    boolean isLost();

    /**
     * Runs a task once the message is lost, on the callback threads; at once if it is lost already, and never after it has ended. An end that
     * finds the message with another client fails, and has it lost.
     *
     * @param task the task, which must not block for long
     */
    void onLost(Runnable task);

    /**
     * Deletes the message for good. If the deletion fails, the client remembers the message and deletes it, without handing it out, when it
     * is received here again.
     *
     * @throws LeaseLostException if the message is lost
     * @throws IllegalStateException if it has been ended
     * @throws StorageException if the service did not confirm the deletion
     */
    void complete();

    /**
     * Hides the message for a time, after which it is received again. In a consumer that counts as a failure of its handling.
     *
     * @param delay how long, up to 7 days, in whole seconds, rounded up; zero makes it visible at once
     * @throws IllegalArgumentException if the time is out of range
     * @throws LeaseLostException if the message is lost
     * @throws IllegalStateException if it has been ended
     * @throws StorageException if the service did not confirm it; the message is received again when its lease has ended
     */
    void retryIn(Duration delay);

    /**
     * Moves the message to the poison queue: copies it there, then deletes it. The lease is renewed in the meantime. If the copy fails, the
     * message has not ended. If the deletion fails, the copy stays in the poison queue, also where the message has expired or belongs to another
     * client by then.
     *
     * @param why the reason, as the poison queue shows it
     * @throws LeaseLostException if the message is lost
     * @throws IllegalStateException if it has been ended, or its body is in a blob that a queue without {@code claimCheck} cannot keep
     * @throws StorageException if the copy failed, or the service did not confirm the deletion; {@link
     *     io.stowline.error.PreconditionFailedException} if the message was no longer there to delete
     */
    void poison(String why);

    /**
     * Gives the message back, unless it has ended or is lost. A held message is visible at once; one of a consumer after its
     * {@code retryDelay}, which is no failure of it. What fails is logged; the lease ends by itself then. A thread that is interrupted does
     * not wait for it, and stays interrupted.
     */
    @Override
    void close();

    /**
     * Returns the non-blocking form of the methods that end the message.
     *
     * @return the reactive face of this message
     */
    ReactiveMessageLease reactive();

    /** Signals that a message was to be ended although it may belong to another client. The message was not changed. */
    final class LeaseLostException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        /**
         * Describes a lease that is lost.
         *
         * @param message what ended it
         */
        public LeaseLostException(String message) {
            super(PrintableText.of(message));
        }
    }
}

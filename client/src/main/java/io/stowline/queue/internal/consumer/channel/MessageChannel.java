package io.stowline.queue.internal.consumer.channel;

import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.poison.PoisonNote;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A queue, or several, as a consumer uses it. Nothing is sent before a subscription; results arrive on whatever thread. Thread-safe.
 */
public interface MessageChannel {

    /** Returns the queue's name. */
    String queue();

    /** Returns the queues to poll. */
    default List<MessageChannel> parts() {
        return List.of(this);
    }

    /**
     * Receives messages by one attempt.
     *
     * @param max how many at most, 1 to 32
     * @param lease how long they stay hidden
     */
    Mono<List<DeliveredMessage>> receive(int max, Duration lease);

    /**
     * Renews a lease by one attempt.
     *
     * @param receipt its newest receipt
     * @param text its new text, or {@code null} to leave it
     * @param lease how long it stays hidden from now on
     * @param within the time for the attempt
     * @return the new receipt
     */
    Mono<LeaseReceipt> renew(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration lease, Duration within);

    /**
     * Gives a message back.
     *
     * @param receipt its newest receipt
     * @param text its new text, or {@code null} to leave it
     * @param delay how long it stays hidden; zero lets others have it at once
     * @param within the time for all attempts
     */
    Mono<Void> giveBack(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration delay, Duration within);

    /**
     * Deletes a message. If that does not succeed, the message is remembered, and deleted when it is received again.
     *
     * @param receipt its newest receipt
     * @param within the time for all attempts
     */
    Mono<Void> delete(MessageHeader message, LeaseReceipt receipt, Duration within);

    /**
     * Puts a copy of a message into the poison queue, which it creates if it is absent.
     *
     * @param note the message and why it is poison
     * @return what was sent
     */
    Mono<SendResult> copyToPoison(PoisonNote note);

    /**
     * Makes several steps one operation, whose later steps are sent although the client is being closed.
     *
     * @param verb the name of the operation
     * @param message the message that it changes
     */
    default Mono<Void> asOperation(String verb, MessageHeader message, Mono<Void> work) {
        return work;
    }

    /**
     * Counts the messages, hidden ones too.
     *
     * @return about the number, never less
     */
    Mono<Long> count();
}

package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.consumer.DeliveryHistories.Counts;
import io.stowline.queue.internal.consumer.DeliveryHistories.MessageKey;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one consumer for messages that come again, by the records of its client's consumers and of the messages' envelopes: their
 * failures, their deliveries that were given back without a failure, and those that are done. Only in the serial executor.
 *
 * @param queue the name of the queue, or the one that several share
 */
record DeliveryLedger(DeliveryHistories histories, String queue, int poisonAfter) {

    /** The number of earlier deliveries without a known end that makes a message poison. */
    static final int UNACCOUNTED = 10;

    private MessageKey key(String id) {
        return new MessageKey(queue, id);
    }

    /** Returns why a delivered message is poison, or {@code null} if it is to be handled. */
    @Nullable
    String poison(MessageHeader message) {
        Counts known = histories.counts(key(message.id()));
        if (known.failures() >= poisonAfter) {
            return reason(known.failures());
        }
        long unaccounted = message.dequeueCount() - 1 - known.failures() - known.returned();
        int max = Math.max(UNACCOUNTED, 2 * poisonAfter);
        return unaccounted >= max ? unaccounted + " deliveries ended without a result that this client knows of" : null;
    }

    static String reason(int failures) {
        return "failed " + failures + (failures == 1 ? " time" : " times");
    }

    /** Returns whether the message was handled, or copied to the poison queue: it only has to be deleted. */
    boolean isDone(String id) {
        return histories.isDone(key(id));
    }

    /** Returns the number of its handlings that failed here. */
    int failures(String id) {
        return histories.counts(key(id)).failures();
    }

    /** Returns the number of deliveries that were given back without a failure, as far as it is known here. */
    long returns(String id) {
        return histories.counts(key(id)).returned();
    }

    /** Takes over the history in a message's envelope. */
    void learn(String id, @Nullable MessageEnvelope envelope) {
        if (envelope != null && envelope.failures() + envelope.releases() > 0) {
            histories.change(key(id), known -> known.atLeast(envelope.failures(), envelope.releases()));
        }
    }

    /** Counts one more failed handling, and returns their number. */
    int failed(String id) {
        return histories.change(key(id), Counts::failed).failures();
    }

    /** Records the failure of a handling, until the message ends. */
    void because(String id, Throwable failure) {
        histories.failure(key(id), failure);
    }

    /** Returns the last failure of a message that this process knows, or {@code null}. */
    @Nullable
    Throwable failure(String id) {
        return histories.failure(key(id));
    }

    /** Returns whether this many failures make a message poison. */
    boolean isPoison(int failures) {
        return failures >= poisonAfter;
    }

    /** Records that a delivery is certainly no failure. */
    void returned(String id) {
        histories.change(key(id), Counts::givenBack);
    }

    /** Counts a delivery whose body was not read, and returns their number. */
    int unread(String id) {
        return histories.change(key(id), Counts::withoutBody).unread();
    }

    /** Records that the message was handled, or copied to the poison queue. */
    void done(String id) {
        histories.done(key(id));
    }
}

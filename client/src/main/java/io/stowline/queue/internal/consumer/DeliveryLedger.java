package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.MessageHeader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows, by itself and from their envelopes, of messages that may come again: their failures, their deliveries that were given back without a failure, and
 * those that are done. It remembers 10,000 of them, and forgets the one first that was used least recently. Only in the serial executor.
 */
final class DeliveryLedger {

    static final int MOST = 10_000;

    /** How many earlier deliveries without a known end make a message poison. */
    static final int UNACCOUNTED = 10;

    private final int poisonAfter;
    private final Map<String, History> histories = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, History> eldest) {
            return size() > MOST;
        }
    };

    private static final class History {
        private int failures;
        private long returned;
        private int unread;
        private boolean done;
    }

    DeliveryLedger(int poisonAfter) {
        this.poisonAfter = poisonAfter;
    }

    /** Why a message that is delivered now is poison, or {@code null} if it is to be handled. */
    @Nullable
    String poison(MessageHeader message) {
        History known = histories.get(message.id());
        int failures = known == null ? 0 : known.failures;
        if (failures >= poisonAfter) {
            return reason(failures);
        }
        long unaccounted = message.dequeueCount() - 1 - failures - (known == null ? 0 : known.returned);
        int most = Math.max(UNACCOUNTED, 2 * poisonAfter);
        return unaccounted >= most
                ? unaccounted + " deliveries ended without a result that this process knows of"
                : null;
    }

    static String reason(int failures) {
        return "failed " + failures + (failures == 1 ? " time" : " times");
    }

    /** Whether the message was handled, or copied to the poison queue: it only has to be deleted. */
    boolean isDone(String id) {
        History known = histories.get(id);
        return known != null && known.done;
    }

    /** How many of its handlings failed here. */
    int failures(String id) {
        History known = histories.get(id);
        return known == null ? 0 : known.failures;
    }

    /** How many deliveries were given back without a failure, as far as it is known here. */
    long returns(String id) {
        History known = histories.get(id);
        return known == null ? 0 : known.returned;
    }

    /** Takes over what a message says of its own history. */
    void learn(String id, @Nullable MessageEnvelope envelope) {
        if (envelope != null && envelope.failures() + envelope.releases() > 0) {
            History known = history(id);
            known.failures = Math.max(known.failures, envelope.failures());
            known.returned = Math.max(known.returned, envelope.releases());
        }
    }

    /** One more handling failed. Returns how many did. */
    int failed(String id) {
        return ++history(id).failures;
    }

    /** Whether this many failures make a message poison. */
    boolean isPoison(int failures) {
        return failures >= poisonAfter;
    }

    /** A delivery is known to be no failure. */
    void returned(String id) {
        history(id).returned++;
    }

    /** The body of the message was not read. Returns how many times that was so. */
    int unread(String id) {
        return ++history(id).unread;
    }

    /** The message was handled, or copied to the poison queue. */
    void done(String id) {
        history(id).done = true;
    }

    private History history(String id) {
        return histories.computeIfAbsent(id, first -> new History());
    }
}

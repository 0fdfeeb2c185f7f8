package io.stowline.system.ledger.consumer;

/**
 * The report of a consumer about the end of a delivery.
 *
 * @param consumer which one
 * @param message the id of the message
 * @param delivery the dequeue count of the delivery, or 0 if the handler had not begun
 * @param claim what became of the message
 * @param certainty how sure the consumer says to be
 * @param nanos when
 * @param text the report in words
 */
record DeliveryReport(
        int consumer, String message, long delivery, Claim claim, Certainty certainty, long nanos, String text) {

    /** The reported end. */
    enum Claim {
        /** The message is deleted. */
        DELETED,
        /** The message is hidden for a while or given back. */
        SHOWN_AGAIN,
        /** The message is copied to the poison queue and deleted. */
        POISONED,
        /** The message may belong to another client, or is left to its lease: this consumer does not delete it. */
        LOST,
        /** Killed: the process ended before the end of the delivery. */
        KILLED
    }

    /** The certainty of a report. */
    enum Certainty {
        /** The service has done it. */
        CONFIRMED,
        /** The service has not done it, and will not. */
        REFUSED,
        /** The consumer does not know. */
        UNKNOWN
    }

    /** Returns a report of this moment about the delivery with this dequeue count. */
    static DeliveryReport now(
            int consumer, String message, long delivery, Claim claim, Certainty certainty, String text) {
        return new DeliveryReport(consumer, message, delivery, claim, certainty, System.nanoTime(), text);
    }

    DeliveryReport ofDelivery(long count) {
        return new DeliveryReport(consumer, message, count, claim, certainty, nanos, text);
    }

    @Override
    public String toString() {
        return "consumer " + consumer + " reports " + claim + " " + certainty + " of delivery " + delivery + ": "
                + text;
    }
}

package io.stowline.system.ledger.consumer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the service did with the messages of one seed: their deliveries, with all that was done by the receipts of each. */
final class QueueLog {

    private final Map<String, List<Delivery>> messages = new HashMap<>();
    private int lost;
    private int replaced;
    private int givenUp;

    /** One delivery of a message, and what was done with it. */
    static final class Delivery {

        private final int consumer;
        private final long count;
        private final long nanos;
        private final List<String> receipts = new ArrayList<>();
        private final List<String> lines = new ArrayList<>();
        private long leaseFrom;
        private boolean received;
        private boolean updated;
        private boolean deleted;

        private Delivery(int consumer, long count, long nanos, String receipt, boolean answered) {
            this.consumer = consumer;
            this.count = count;
            this.nanos = nanos;
            this.leaseFrom = nanos;
            this.received = answered;
            receipts.add(receipt);
        }

        int consumer() {
            return consumer;
        }

        /** The dequeue count. */
        long count() {
            return count;
        }

        /** When the receive came. */
        long nanos() {
            return nanos;
        }

        /** When the last receive or renewal began or came whose response reached the consumer. */
        long leaseFrom() {
            return leaseFrom;
        }

        /** Whether the response to the receive reached the consumer. */
        boolean isReceived() {
            return received;
        }

        /** Whether the service changed its visibility for good: it was hidden again or shown. */
        boolean isGivenBack() {
            return updated;
        }

        boolean isDeleted() {
            return deleted;
        }

        @Override
        public String toString() {
            return "delivery " + count + " to consumer " + consumer + (received ? "" : ", response lost") + " " + lines;
        }
    }

    /** The service has handed out a message. */
    void received(int consumer, String message, long count, String receipt, long nanos, boolean answered) {
        messages.computeIfAbsent(message, first -> new ArrayList<>())
                .add(new Delivery(consumer, count, nanos, receipt, answered));
    }

    /** The consumer counts the lease of this receipt from this time: a slow machine brings its request later. */
    void countsFrom(String message, String receipt, long begun) {
        byReceipt(message, receipt).leaseFrom = begun;
    }

    /** The service has renewed a lease, or given the message back after so many seconds. */
    void updated(String message, String receipt, String newer, boolean renewal, long nanos, boolean answered) {
        Delivery delivery = byReceipt(message, receipt);
        delivery.receipts.add(newer);
        delivery.updated |= !renewal;
        delivery.lines.add((renewal ? "renewed" : "given back") + (answered ? "" : ", response lost"));
        if (answered) {
            delivery.leaseFrom = nanos;
        }
    }

    /** The service has deleted a message. */
    void deleted(String message, String receipt, boolean answered) {
        Delivery delivery = byReceipt(message, receipt);
        delivery.deleted = true;
        delivery.lines.add("deleted" + (answered ? "" : ", response lost"));
    }

    /** The service has refused a request by this receipt. */
    void refused(String message, String receipt, String line) {
        deliveries(message).stream()
                .filter(delivery -> delivery.receipts.contains(receipt))
                .forEach(delivery -> delivery.lines.add(line));
    }

    /** The proxy has lost a response. */
    void lost() {
        lost++;
    }

    /** How many responses the proxies have lost. */
    int lostAnswers() {
        return lost;
    }

    /** A gateway has responded in the place of the service. */
    void replaced() {
        replaced++;
    }

    /** Returns how many responses were those of a gateway. */
    int gatewayAnswers() {
        return replaced;
    }

    /** A consumer has not waited for a response. */
    void gaveUp() {
        givenUp++;
    }

    /** For how many responses consumers have not waited. */
    int givenUp() {
        return givenUp;
    }

    private Delivery byReceipt(String message, String receipt) {
        return Objects.requireNonNull(
                deliveries(message).stream()
                        .filter(delivery -> delivery.receipts.contains(receipt))
                        .reduce((older, newer) -> newer)
                        .orElse(null),
                "a receipt that the service did not give");
    }

    /** In the order of their receives. */
    List<Delivery> deliveries(String message) {
        return messages.getOrDefault(message, List.of());
    }
}

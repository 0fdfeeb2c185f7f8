package io.stowline.system.ledger.consumer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The log of the service on the messages of one seed: their deliveries, with all requests by the receipts of each. */
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

        private Delivery(int consumer, long count, long nanos, String receipt, boolean responded) {
            this.consumer = consumer;
            this.count = count;
            this.nanos = nanos;
            this.leaseFrom = nanos;
            this.received = responded;
            receipts.add(receipt);
        }

        int consumer() {
            return consumer;
        }

        /** Returns the dequeue count. */
        long count() {
            return count;
        }

        /** Returns the time of the receive. */
        long nanos() {
            return nanos;
        }

        /** Returns the time of the last receive or renewal whose response reached the consumer. */
        long leaseFrom() {
            return leaseFrom;
        }

        /** Returns whether the response to the receive reached the consumer. */
        boolean isReceived() {
            return received;
        }

        /** Returns whether the service changed its visibility for good: it was hidden again or shown. */
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

    /** Records that the service has handed out a message. */
    void received(int consumer, String message, long count, String receipt, long nanos, boolean responded) {
        messages.computeIfAbsent(message, first -> new ArrayList<>())
                .add(new Delivery(consumer, count, nanos, receipt, responded));
    }

    /**
     * Records that the consumer counts the lease of this receipt from this time: a slow machine delivers its request
     * later.
     */
    void countsFrom(String message, String receipt, long begun) {
        byReceipt(message, receipt).leaseFrom = begun;
    }

    /** Records that the service has renewed a lease, or given the message back after so many seconds. */
    void updated(String message, String receipt, String newer, boolean renewal, long nanos, boolean responded) {
        Delivery delivery = byReceipt(message, receipt);
        delivery.receipts.add(newer);
        delivery.updated |= !renewal;
        delivery.lines.add((renewal ? "renewed" : "given back") + (responded ? "" : ", response lost"));
        if (responded) {
            delivery.leaseFrom = nanos;
        }
    }

    /** Records that the service has deleted a message. */
    void deleted(String message, String receipt, boolean responded) {
        Delivery delivery = byReceipt(message, receipt);
        delivery.deleted = true;
        delivery.lines.add("deleted" + (responded ? "" : ", response lost"));
    }

    /** Records that the service has refused a request by this receipt. */
    void refused(String message, String receipt, String line) {
        deliveries(message).stream()
                .filter(delivery -> delivery.receipts.contains(receipt))
                .forEach(delivery -> delivery.lines.add(line));
    }

    /** Counts a response that the proxy has lost. */
    void lost() {
        lost++;
    }

    /** Returns the number of responses that the proxies have lost. */
    int lostResponses() {
        return lost;
    }

    /** Counts a response that a gateway made in the place of the service. */
    void replaced() {
        replaced++;
    }

    /** Returns how many responses were those of a gateway. */
    int gatewayResponses() {
        return replaced;
    }

    /** Counts a response that a consumer has not waited for. */
    void gaveUp() {
        givenUp++;
    }

    /** Returns the number of responses that consumers have not waited for. */
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

    /** Returns the deliveries in the order of their receives. */
    List<Delivery> deliveries(String message) {
        return messages.getOrDefault(message, List.of());
    }
}

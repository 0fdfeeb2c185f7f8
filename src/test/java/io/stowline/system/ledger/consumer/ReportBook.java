package io.stowline.system.ledger.consumer;

import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The reports of consumers and their successful handlings. Thread-safe. */
final class ReportBook implements HandlingEvents {

    private final List<DeliveryReport> reports = new ArrayList<>();
    private final Map<String, Integer> handled = new HashMap<>();
    private int interrupted;
    private final Set<Handling> begun = new LinkedHashSet<>();
    private final Map<List<Object>, Deque<Long>> inHand = new HashMap<>();
    private final Map<String, Long> begunAt = new HashMap<>();

    /** A delivery with which a handler has begun. */
    private record Handling(int consumer, String message, long delivery) {}

    @Override
    public synchronized void received(String requestId, long begun) {
        begunAt.put(requestId, begun);
    }

    /** Returns the beginning of a request's operation, if its consumer reports it and it precedes the request. */
    synchronized long begunAt(String requestId, long came) {
        return Math.min(came, begunAt.getOrDefault(requestId, came));
    }

    /** Returns whether a response that was sent to a consumer has reached it in time; {@code true} where no consumer reports requests. */
    synchronized boolean isReceived(String requestId) {
        return begunAt.isEmpty() || begunAt.containsKey(requestId);
    }

    @Override
    public synchronized void begins(int consumer, String message, long delivery) {
        begun.add(new Handling(consumer, message, delivery));
        inHand.computeIfAbsent(List.of(consumer, message), first -> new ArrayDeque<>())
                .addLast(delivery);
    }

    @Override
    public synchronized void handles(String message) {
        handled.merge(message, 1, Integer::sum);
    }

    @Override
    public synchronized void interrupted() {
        interrupted++;
    }

    /**
     * A slow machine may report the end of a delivery when the handler of the next one has begun: an end after which the message comes
     * again is one of the oldest.
     */
    @Override
    public synchronized void ends(DeliveryReport report) {
        Deque<Long> begun = inHand.getOrDefault(List.of(report.consumer(), report.message()), new ArrayDeque<>());
        boolean comesAgain = report.claim() == Claim.LOST || report.claim() == Claim.SHOWN_AGAIN;
        Long delivery = comesAgain ? begun.pollFirst() : begun.pollLast();
        if (!comesAgain) {
            begun.clear();
        }
        reports.add(report.ofDelivery(delivery == null ? 0 : delivery));
    }

    @Override
    public synchronized void reports(DeliveryReport report) {
        reports.add(report);
    }

    /** Records that the process of a consumer was killed: the deliveries that it had not reported end unknown. */
    synchronized void killed(int consumer) {
        begun.stream()
                .filter(handling -> handling.consumer() == consumer)
                .filter(handling -> reports.stream().noneMatch(report -> isAbout(report, handling)))
                .toList()
                .forEach(handling -> reports.add(DeliveryReport.now(
                        consumer,
                        handling.message(),
                        handling.delivery(),
                        Claim.KILLED,
                        Certainty.UNKNOWN,
                        "its process was killed")));
    }

    private static boolean isAbout(DeliveryReport report, Handling handling) {
        return report.consumer() == handling.consumer()
                && report.message().equals(handling.message())
                && report.delivery() == handling.delivery();
    }

    synchronized List<DeliveryReport> reports() {
        return List.copyOf(reports);
    }

    /** Returns the number of complete handlings of each message. */
    synchronized Map<String, Integer> handled() {
        return Map.copyOf(handled);
    }

    /** Returns the number of interrupted handlings. */
    synchronized int interruptions() {
        return interrupted;
    }
}

package io.stowline.benchmarks.correctness.consumer;

import io.stowline.benchmarks.correctness.consumer.DeliveryReport.Certainty;
import io.stowline.benchmarks.correctness.consumer.DeliveryReport.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What consumers report and which handlings succeed. Thread-safe. */
final class ReportBook {

    private final List<DeliveryReport> reports = new ArrayList<>();
    private final Map<String, Integer> handled = new HashMap<>();
    private int interrupted;
    private final Map<String, Long> begun = new HashMap<>();

    /** A handler begins with a delivery. */
    synchronized void begins(int consumer, String message, long delivery) {
        begun.put(consumer + " " + message, delivery);
    }

    /** A handler has done its work. */
    synchronized void handles(String message) {
        handled.merge(message, 1, Integer::sum);
    }

    /** A handler is interrupted: its message is lost. */
    synchronized void interrupted() {
        interrupted++;
    }

    /** A consumer reports the end of the delivery with which its handler has begun, or of one that no handler had. */
    synchronized void ends(int consumer, String message, Claim claim, Certainty certainty, String text) {
        Long delivery = begun.remove(consumer + " " + message);
        reports(consumer, message, delivery == null ? 0 : delivery, claim, certainty, text);
    }

    /** A consumer reports something about a delivery. */
    synchronized void reports(
            int consumer, String message, long delivery, Claim claim, Certainty certainty, String text) {
        reports.add(new DeliveryReport(consumer, message, delivery, claim, certainty, System.nanoTime(), text));
    }

    synchronized List<DeliveryReport> reports() {
        return List.copyOf(reports);
    }

    /** How often each message was handled to the end. */
    synchronized Map<String, Integer> handled() {
        return Map.copyOf(handled);
    }

    /** How many handlings were interrupted. */
    synchronized int interruptions() {
        return interrupted;
    }
}

package io.stowline.system.ledger.consumer;

import io.stowline.system.ledger.consumer.ConsumerPage.Figures;
import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import io.stowline.system.ledger.consumer.QueueLog.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Holds what consumers reported against what the service did. */
final class ConsumerVerdict {

    /** A loss may be reported this much before the end of the lease: the service may show a message a little early. */
    private static final long EARLY = Duration.ofSeconds(2).toNanos();

    private final QueueLog log;
    private final Map<String, Integer> handled;
    private final List<DeliveryReport> reports;

    private final int interruptions;

    ConsumerVerdict(QueueLog log, ReportBook book) {
        this.log = log;
        this.handled = book.handled();
        this.reports = book.reports();
        this.interruptions = book.interruptions();
    }

    /** The rules that a report can break. */
    enum Rule {
        DELETED_BUT_THERE,
        NOT_DELETED_BUT_GONE,
        SHOWN_AGAIN_BUT_NOT_UPDATED,
        NOT_SHOWN_AGAIN_BUT_UPDATED,
        LOST_BUT_HELD,
        LOST_BUT_DELETED,
        HANDLED_AGAIN_UNREPORTED,
        DELETED_UNHANDLED,
        STATE_UNEXPLAINED
    }

    /**
     * The messages at the end.
     *
     * @param messages how many messages are in the queue, hidden ones included
     * @param poisoned how many are in the poison queue
     */
    record Remains(int messages, int poisoned) {}

    ConsumerPage page(long seed, Map<String, Integer> ends, Set<String> messages, Remains remains) {
        Map<String, String> wrong = new TreeMap<>();
        for (DeliveryReport report : reports) {
            Rule rule = broken(report);
            if (rule != null) {
                wrong.putIfAbsent(report.message(), story(rule, report));
            }
        }
        messages.stream()
                .filter(message -> timesHandled(message) > 1 + openEnds(message))
                .forEach(
                        message -> wrong.putIfAbsent(message, Rule.HANDLED_AGAIN_UNREPORTED + "\n  " + lines(message)));
        List<String> lost = messages.stream()
                .filter(message -> timesHandled(message) == 0 && isDeleted(message))
                .toList();
        List<String> violations = new ArrayList<>(wrong.values());
        if (remains.poisoned() == 0) {
            lost.forEach(message -> violations.add(Rule.DELETED_UNHANDLED + "\n  " + lines(message)));
        }
        long undeleted =
                messages.stream().filter(message -> !isDeleted(message)).count();
        if (undeleted != remains.messages()) {
            violations.add(Rule.STATE_UNEXPLAINED + "\n  " + remains.messages() + " messages are there, and "
                    + undeleted + " were not deleted");
        }
        long unknown = reports.stream()
                .filter(report -> report.certainty() == Certainty.UNKNOWN)
                .count();
        return new ConsumerPage(
                seed,
                ends,
                log.lostResponses(),
                log.gatewayResponses(),
                log.givenUp(),
                new Figures(
                        messages.size(),
                        (int) messages.stream()
                                .filter(one -> timesHandled(one) == 1)
                                .count(),
                        (int) messages.stream()
                                .filter(one -> timesHandled(one) > 1)
                                .count(),
                        (int) reports.stream().filter(ConsumerVerdict::isLeft).count(),
                        interruptions,
                        (int) messages.stream()
                                .filter(one -> timesHandled(one) == 0 && !isDeleted(one))
                                .count(),
                        (int) unknown,
                        wrong.size(),
                        Math.max(0, lost.size() - remains.poisoned()),
                        remains.poisoned()),
                violations);
    }

    private int timesHandled(String message) {
        return handled.getOrDefault(message, 0);
    }

    private static boolean isLeft(DeliveryReport report) {
        return report.claim() == Claim.KILLED
                || (report.claim() == Claim.LOST && report.certainty() == Certainty.UNKNOWN);
    }

    /** The deliveries of which a report leaves open whether the message comes again after its handling. */
    private long openEnds(String message) {
        return reports.stream()
                .filter(report -> report.message().equals(message))
                .filter(report -> report.certainty() != Certainty.CONFIRMED || report.claim() == Claim.LOST)
                .map(report -> List.of(report.consumer(), report.delivery()))
                .distinct()
                .count();
    }

    private boolean isDeleted(String message) {
        return log.deliveries(message).stream().anyMatch(Delivery::isDeleted);
    }

    private @Nullable Rule broken(DeliveryReport report) {
        boolean deleted = own(report).stream().anyMatch(Delivery::isDeleted);
        boolean shown = own(report).stream().anyMatch(Delivery::isGivenBack);
        boolean confirmed = report.certainty() == Certainty.CONFIRMED;
        if (report.certainty() == Certainty.UNKNOWN && report.claim() != Claim.LOST) {
            return null;
        }
        return switch (report.claim()) {
            case DELETED, POISONED ->
                confirmed == deleted ? null : confirmed ? Rule.DELETED_BUT_THERE : Rule.NOT_DELETED_BUT_GONE;
            case SHOWN_AGAIN ->
                confirmed == shown
                        ? null
                        : confirmed ? Rule.SHOWN_AGAIN_BUT_NOT_UPDATED : Rule.NOT_SHOWN_AGAIN_BUT_UPDATED;
            case LOST ->
                deleted && own(report).size() == 1
                        ? Rule.LOST_BUT_DELETED
                        : confirmed && isHeld(report) ? Rule.LOST_BUT_HELD : null;
            case KILLED -> null;
        };
    }

    /** Returns the deliveries that a report can be about. */
    private List<Delivery> own(DeliveryReport report) {
        return log.deliveries(report.message()).stream()
                .filter(delivery -> delivery.consumer() == report.consumer() && delivery.isReceived())
                .filter(delivery -> report.delivery() == 0 || delivery.count() == report.delivery())
                .toList();
    }

    /**
     * Returns whether the lease ran when the message was reported as lost, and no other client had received or removed
     * the message.
     */
    private boolean isHeld(DeliveryReport report) {
        // A delivery that came after the report is another one's business.
        List<Delivery> own = own(report).stream()
                .filter(delivery -> delivery.nanos() < report.nanos())
                .toList();
        if (own.isEmpty()) {
            return false;
        }
        Delivery last = reported(own, report);
        boolean taken = log.deliveries(report.message()).stream()
                .anyMatch(other -> other.count() > last.count() && other.nanos() < report.nanos());
        return !taken && report.nanos() < last.leaseFrom() + HandlerScript.LEASE.toNanos() - EARLY;
    }

    /** Returns the delivery that a report is about: the first one without another report, where no handler had begun, and else its own. */
    private Delivery reported(List<Delivery> own, DeliveryReport report) {
        return own.stream()
                .filter(delivery ->
                        report.delivery() == 0 && reports.stream().noneMatch(other -> isAbout(other, delivery, report)))
                .findFirst()
                .orElse(own.get(own.size() - 1));
    }

    private static boolean isAbout(DeliveryReport other, Delivery delivery, DeliveryReport report) {
        return other.message().equals(report.message())
                && other.consumer() == report.consumer()
                && other.delivery() == delivery.count();
    }

    private String story(Rule rule, DeliveryReport report) {
        return rule + "\n  " + report + "\n  " + lines(report.message());
    }

    private String lines(String message) {
        return log.deliveries(message).stream().map(Delivery::toString).collect(Collectors.joining("\n  "))
                + reports.stream()
                        .filter(report -> report.message().equals(message))
                        .map(report -> "\n  " + report)
                        .collect(Collectors.joining());
    }
}

package io.stowline.system.ledger.consumer;

import io.stowline.system.ledger.script.Wire;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The proxy through which one consumer reaches the service: it loses responses, and gateways respond there; and it records what the service did. */
final class QueueDoor implements AutoCloseable {

    private static final int RECORDED = 20_000;
    private static final int REFUSED = 400;
    private static final Pattern MESSAGE = Pattern.compile("(?s)<QueueMessage>(.*?)</QueueMessage>");

    private final int consumer;
    private final String messages;
    private final QueueFaults faults;
    private final long start;
    private final FaultProxy proxy;

    QueueDoor(int consumer, Azurite azurite, String queue, QueueFaults faults) {
        this.consumer = consumer;
        this.messages = "/" + queue + "/messages";
        this.faults = faults;
        this.proxy = FaultProxy.builder()
                .inFrontOf(azurite)
                .recordedExchanges(RECORDED)
                .start();
        // The proxy's own clock began a little earlier, so that no request counts as earlier than it was.
        this.start = System.nanoTime();
        faults.at(proxy);
    }

    int consumer() {
        return consumer;
    }

    /** Waits for the first request of the consumer. */
    void awaitRequest(Duration atMost) throws InterruptedException {
        if (!faults.awaitRequest(atMost)) {
            throw new IllegalStateException("consumer " + consumer + " has sent no request within " + atMost);
        }
    }

    String connectionString() {
        return proxy.storage().connectionString();
    }

    /** An exchange about messages, with the time of its beginning. */
    private record Passage(QueueDoor door, long nanos, RecordedExchange exchange) {

        /** Writes down what the service did. */
        void into(QueueLog log, ReportBook book) {
            RecordedExchange.Ending ending = exchange.ending();
            // A rule that responds takes the place of the service for the consumer.
            boolean gateway = ending == RecordedExchange.Ending.RESPONDED
                    && !exchange.rule().isEmpty();
            boolean responded = ending == RecordedExchange.Ending.RESPONDED && !gateway;
            if (ending == RecordedExchange.Ending.LOST) {
                log.lost();
            } else if (gateway) {
                log.replaced();
            } else if (!responded) {
                log.gaveUp();
            }
            exchange.served().ifPresent(response -> door.write(this, response, responded, log, book));
        }
    }

    private Stream<Passage> passages() {
        return proxy.recorded().stream()
                .filter(exchange -> exchange.request().path().contains(messages))
                .map(exchange -> new Passage(this, start + exchange.arrived().toNanos(), exchange));
    }

    private void write(Passage passage, StubResponse response, boolean responded, QueueLog log, ReportBook book) {
        SentRequest request = passage.exchange().request();
        long begun = book.begunAt(Wire.id(request), passage.nanos());
        String id = request.path().substring(request.path().lastIndexOf('/') + 1);
        String receipt = request.query().getOrDefault("popreceipt", "");
        if (response.status() >= REFUSED) {
            log.refused(id, receipt, request.method() + " refused with " + response.status());
            return;
        }
        switch (request.method()) {
            case "GET" -> received(response, passage.nanos(), begun, responded, log);
            case "PUT" -> {
                String time = request.query().getOrDefault("visibilitytimeout", "");
                String newer = String.valueOf(response.header("x-ms-popreceipt"));
                boolean renewal = time.equals(Long.toString(HandlerScript.LEASE.toSeconds()));
                boolean received = responded && book.isReceived(Wire.id(request));
                log.updated(id, receipt, newer, renewal, begun, received);
            }
            case "DELETE" -> log.deleted(id, receipt, responded);
            default -> throw new IllegalStateException("not expected: " + request);
        }
    }

    private void received(StubResponse response, long nanos, long begun, boolean responded, QueueLog log) {
        Matcher message = MESSAGE.matcher(response.text());
        while (message.find()) {
            String xml = message.group(1);
            String id = text("MessageId", xml);
            String receipt = text("PopReceipt", xml);
            log.received(consumer, id, Long.parseLong(text("DequeueCount", xml)), receipt, nanos, responded);
            log.countsFrom(id, receipt, begun);
        }
    }

    private static String text(String element, String xml) {
        Matcher found =
                Pattern.compile("<" + element + ">(.*?)</" + element + ">").matcher(xml);
        if (!found.find()) {
            throw new IllegalStateException("no " + element + " in " + xml);
        }
        return found.group(1);
    }

    /** Returns the log of the service at all doors of a seed, in the order of the requests. */
    static QueueLog log(List<QueueDoor> doors, ReportBook book) {
        QueueLog log = new QueueLog();
        doors.stream()
                .flatMap(QueueDoor::passages)
                .sorted(Comparator.comparingLong(Passage::nanos))
                .forEach(passage -> passage.into(log, book));
        return log;
    }

    @Override
    public void close() {
        proxy.close();
    }
}

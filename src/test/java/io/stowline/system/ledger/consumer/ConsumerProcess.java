package io.stowline.system.ledger.consumer;

import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import io.stowline.system.ledger.subject.ChildProcess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process with one consumer, which runs until it is killed, or until the process that started it has ended. Each line of its output is
 * one event:
 *
 * <pre>
 * received request nanos ;
 * begins consumer message delivery ;
 * handles message ;
 * interrupted ;
 * ends consumer message delivery CLAIM CERTAINTY nanos text ;
 * reports consumer message delivery CLAIM CERTAINTY nanos text ;
 * </pre>
 *
 * <p>A line is written before the handler or the consumer goes on: what a killed process has done is in its output. The times are those of
 * {@link System#nanoTime}, which all processes of a machine share on Linux.
 */
public final class ConsumerProcess {

    private static final String RECEIVED = "received";
    private static final String BEGINS = "begins";
    private static final String HANDLES = "handles";
    private static final String INTERRUPTED = "interrupted";
    private static final String ENDS = "ends";
    private static final String REPORTS = "reports";
    private static final String END = " ;";
    private static final int TEXT = 7;

    private ConsumerProcess() {}

    /**
     * Consumes.
     *
     * @param args the client, the number of the consumer, the connection string, the queue, and the seed of the handlers
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        HandlingEvents events = printedTo(new PrintStream(System.out, true, StandardCharsets.UTF_8));
        ConsumerLaunch.of(args).start(new NettyAsyncHttpClientBuilder().build(), Duration.ofSeconds(1), events);
        ChildProcess.endWithParent();
        new CountDownLatch(1).await();
    }

    /** Returns what prints each event as a line. */
    static HandlingEvents printedTo(PrintStream out) {
        return new Printed(out);
    }

    /** Reads a line of the output, unless the kill has cut it. */
    static void read(String line, HandlingEvents events) {
        if (!line.endsWith(END)) {
            return;
        }
        String[] words = line.substring(0, line.length() - END.length()).split(" ", TEXT + 1);
        switch (words[0]) {
            case RECEIVED -> events.received(words[1], Long.parseLong(words[2]));
            case BEGINS -> events.begins(Integer.parseInt(words[1]), words[2], Long.parseLong(words[3]));
            case HANDLES -> events.handles(words[1]);
            case INTERRUPTED -> events.interrupted();
            case ENDS -> events.ends(report(words));
            case REPORTS -> events.reports(report(words));
            default -> throw new IllegalStateException("a consumer printed " + line);
        }
    }

    private static DeliveryReport report(String... words) {
        return new DeliveryReport(
                Integer.parseInt(words[1]),
                words[2],
                Long.parseLong(words[3]),
                Claim.valueOf(words[4]),
                Certainty.valueOf(words[5]),
                Long.parseLong(words[6]),
                words[TEXT]);
    }

    private static final class Printed implements HandlingEvents {

        private final PrintStream out;

        Printed(PrintStream out) {
            this.out = out;
        }

        private void print(Object... words) {
            out.println(Stream.of(words).map(Object::toString).collect(Collectors.joining(" ", "", END)));
        }

        @Override
        public void received(String requestId, long begun) {
            print(RECEIVED, requestId, begun);
        }

        @Override
        public void begins(int consumer, String message, long delivery) {
            print(BEGINS, consumer, message, delivery);
        }

        @Override
        public void handles(String message) {
            print(HANDLES, message);
        }

        @Override
        public void interrupted() {
            print(INTERRUPTED);
        }

        @Override
        public void ends(DeliveryReport report) {
            print(ENDS, report);
        }

        @Override
        public void reports(DeliveryReport report) {
            print(REPORTS, report);
        }

        private void print(String event, DeliveryReport report) {
            print(
                    event,
                    report.consumer(),
                    report.message(),
                    report.delivery(),
                    report.claim(),
                    report.certainty(),
                    report.nanos(),
                    report.text().replaceAll("\\s+", " "));
        }
    }
}

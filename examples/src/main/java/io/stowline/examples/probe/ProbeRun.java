package io.stowline.examples.probe;

import io.stowline.examples.probe.ProbedLink.Direction;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgressDisplay;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of all measurements.
 *
 * @param link the way to the account
 * @param options what to measure
 * @param meter reads the counters of the process
 * @param time the clock
 * @param stopped whether to stop before the next step
 * @param out where to show progress
 */
record ProbeRun(
        ProbedLink link,
        ProbeOptions options,
        Supplier<ClientReading> meter,
        ProbeTime time,
        BooleanSupplier stopped,
        PrintStream out) {

    /** Writes for a little more than a second meet a change of the service's second. */
    private static final Duration CLOCK_TIME = Duration.ofMillis(1_200);

    /** Runs all steps. */
    ProbeFindings run() throws IOException, InterruptedException {
        ClockedWrites writes = new ClockedWrites();
        writes.run();
        RoundTrips heads = RoundTrips.measure(options.roundTrips(), link::head, time);
        RoundTrips connects = connects();
        ThroughputRun throughput = ThroughputRun.calibrated(
                link,
                Duration.ofSeconds(options.seconds()),
                Runtime.getRuntime().availableProcessors(),
                time,
                meter);
        List<ThroughputStep> steps = new ArrayList<>();
        int[] connections = connections();
        try (ProgressDisplay progress = ProgressDisplay.of(out, "Measuring", 2L * connections.length)) {
            for (Direction direction : Direction.values()) {
                for (int number : connections) {
                    if (stopped.getAsBoolean()) {
                        throw new JobFailedException("stopped by a signal; the container is removed");
                    }
                    ThroughputStep step = time.await(throughput.start(direction, number));
                    steps.add(step);
                    progress.show(
                            steps.size(),
                            String.format(
                                    Locale.ROOT,
                                    "%s, connections: %d, %,.1f MiB/s",
                                    direction,
                                    number,
                                    step.mebibytes()));
                }
            }
        }
        return new ProbeFindings(
                connects, heads, writes.times(), writes.offset, throughput.bytes(), List.copyOf(steps));
    }

    /** Powers of two below the most connections, and these; of downloads each connection needs the blob of an upload. */
    private int[] connections() {
        return IntStream.concat(
                        Stream.iterate(1, number -> number < options.connections(), number -> 2 * number)
                                .mapToInt(number -> number),
                        IntStream.of(options.connections()))
                .toArray();
    }

    /** A proxy between this machine and the account lets no other connection pass. */
    private @Nullable RoundTrips connects() {
        try {
            return RoundTrips.measure(options.roundTrips(), link::connect, time);
        } catch (IOException e) {
            out.println("No direct TCP connection to the endpoint: " + e.getMessage());
            return null;
        }
    }

    /** Writes of a byte, for as long as the difference of the clocks needs. */
    private final class ClockedWrites {

        private final List<Long> times = new ArrayList<>();
        private ClockOffset offset = ClockOffset.UNKNOWN;

        void run() {
            link.write(); // opens a connection
            long begin = time.nanoTime();
            while (times.size() < options.roundTrips() || time.nanoTime() - begin < CLOCK_TIME.toNanos()) {
                Instant sent = time.now();
                long started = time.nanoTime();
                Instant second = link.write();
                times.add(time.nanoTime() - started);
                if (!second.equals(Instant.EPOCH)) { // the response lacks it
                    offset = offset.and(sent, second, time.now());
                }
            }
        }

        RoundTrips times() {
            return RoundTrips.of(times.stream().mapToLong(each -> each).toArray());
        }
    }
}

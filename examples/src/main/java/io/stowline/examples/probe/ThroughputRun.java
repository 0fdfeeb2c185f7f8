package io.stowline.examples.probe;

import io.stowline.examples.probe.ProbedLink.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A measurement of throughput: each connection makes one call after the other for the length of a step.
 *
 * <p>The content of a call counts by the part of its time that lies in the step. The first fifth of a step does not count: connections open in
 * it. Where calls take longer than a quarter of a step, they wait for one another, and the rate is that of all calls until the last one has ended.
 *
 * @param link the way to the account
 * @param bytes the content of a call
 * @param length how long calls begin
 * @param processors how many processors the process may use
 * @param time the clock
 * @param meter reads the counters of the process
 */
record ThroughputRun(
        ProbedLink link, int bytes, Duration length, int processors, ProbeTime time, Supplier<ClientReading> meter) {

    private static final int SMALLEST = 64 << 10;

    /** A connection must make some calls in a step, also beside others. */
    private static final int CALLS_OF_A_STEP = 8;

    /** A measurement with the largest content of which one connection makes some calls in a step. */
    static ThroughputRun calibrated(
            ProbedLink link, Duration length, int processors, ProbeTime time, Supplier<ClientReading> meter)
            throws InterruptedException {
        int bytes = SMALLEST;
        for (int larger = SMALLEST; larger <= StorageLink.MAX_BYTES; larger *= 4) {
            time.await(link.transfer(Direction.UPLOAD, 0, larger).toCompletableFuture()); // warms up
            long begin = time.nanoTime();
            time.await(link.transfer(Direction.UPLOAD, 0, larger).toCompletableFuture());
            if ((time.nanoTime() - begin) * CALLS_OF_A_STEP > length.toNanos()) {
                break;
            }
            bytes = larger;
        }
        return new ThroughputRun(link, bytes, length, processors, time, meter);
    }

    /** Measures; the result comes when the last call has ended. */
    CompletableFuture<ThroughputStep> start(Direction direction, int connections) {
        Step step = new Step(direction, connections);
        CompletableFuture<?>[] all =
                IntStream.range(0, connections).mapToObj(step::connection).toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(all).thenApply(ended -> step.result());
    }

    /** The calls of a step. Thread-safe. */
    private final class Step {

        private final Direction direction;
        private final int connections;
        private final long begin = time.nanoTime();
        private final long end = begin + length.toNanos();
        private final long counted = begin + length.toNanos() / 5;
        private final ClientReading before = meter.get();
        private final List<Long> times = new ArrayList<>();
        private double sum;
        private long calls;
        private long failures;

        Step(Direction direction, int connections) {
            this.direction = direction;
            this.connections = connections;
        }

        CompletableFuture<?> connection(int number) {
            CompletableFuture<?> done = new CompletableFuture<>();
            next(number, done);
            return done;
        }

        /** A connection whose call failed makes no further one: all retries are behind it. */
        private void next(int number, CompletableFuture<?> done) {
            long started = time.nanoTime();
            if (started - end >= 0) {
                done.complete(null);
                return;
            }
            link.transfer(direction, number, bytes).whenComplete((result, failure) -> {
                count(started, time.nanoTime(), failure == null);
                if (failure == null) {
                    next(number, done);
                } else {
                    done.complete(null);
                }
            });
        }

        private synchronized void count(long started, long ended, boolean fine) {
            if (!fine) {
                failures++;
                return;
            }
            calls++;
            if (ended - counted > 0) {
                times.add(ended - started);
                long within = Math.min(ended, end) - Math.max(started, counted);
                sum += (double) bytes * within / Math.max(1, ended - started);
            }
        }

        private double rate(boolean longCalls, double elapsed) {
            return longCalls ? (double) bytes * calls * 1e9 / elapsed : sum * 1e9 / (end - counted);
        }

        synchronized ThroughputStep result() {
            ClientReading after = meter.get();
            double elapsed = Math.max(1, time.nanoTime() - begin);
            RoundTrips distribution =
                    RoundTrips.of(times.stream().mapToLong(each -> each).toArray());
            return new ThroughputStep(
                    direction,
                    connections,
                    rate(distribution.median().compareTo(length.dividedBy(4)) > 0, elapsed),
                    distribution.median(),
                    distribution.percentile(99),
                    (after.cpuNanos() - before.cpuNanos()) / elapsed / processors,
                    after.machine(),
                    (after.collectionMillis() - before.collectionMillis()) * 1e6 / elapsed,
                    after.attempts() - before.attempts(),
                    after.retries() - before.retries(),
                    after.throttled() - before.throttled(),
                    after.broken() - before.broken(),
                    failures);
        }
    }
}

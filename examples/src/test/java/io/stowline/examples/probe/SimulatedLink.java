package io.stowline.examples.probe;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A way to an account with a known round trip, bandwidth and limits, in virtual time. */
final class SimulatedLink implements ProbedLink, ProbeTime {

    private static final Instant BEGIN = Instant.parse("2026-11-28T14:00:00.4Z");

    Duration trip = Duration.ofMillis(20);

    /** The service's time for a small call. */
    Duration service = Duration.ofMillis(3);

    /** Bytes in a second of all connections together, and of each. */
    double line = 1e12;

    double connection = 1e12;

    /** Bytes in a second that the client's only processor can check. */
    double processor = 1e12;

    /** Calls in a second that the service takes. */
    double taken = 1e9;

    /** A call that breaks at first, of so many; 0 for none. */
    int broken;

    double collections;
    double machine = 0.1;
    Duration ahead = Duration.ZERO;
    boolean direct = true;
    boolean failing;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private long now;
    private long number;
    private long lineFree;
    private long processorFree;
    private long admission;
    private long cpuNanos;
    private long attempts;
    private long retries;
    private long throttled;
    private long lost;

    private record Event(long at, long number, CompletableFuture<Object> done) {}

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(now);
    }

    @Override
    public <T> T await(CompletableFuture<T> future) {
        while (!future.isDone()) {
            Event next = events.remove();
            now = next.at();
            if (failing) {
                next.done().completeExceptionally(new IllegalStateException("down"));
            } else {
                next.done().complete(true);
            }
        }
        return future.join();
    }

    @Override
    public void connect() throws IOException {
        if (!direct) {
            throw new IOException("refused");
        }
        now += trip.toNanos();
    }

    @Override
    public void head() {
        now += trip.plus(service).toNanos();
    }

    @Override
    public Instant write() {
        now += trip.toNanos() / 2;
        Instant second = now().plus(ahead).truncatedTo(ChronoUnit.SECONDS);
        now += trip.toNanos() / 2;
        return second;
    }

    @Override
    public CompletionStage<?> transfer(Direction direction, int connectionNumber, int bytes) {
        attempts++;
        long delay = trip.toNanos();
        admission = Math.max(now, admission) + (long) (1e9 / taken);
        if (admission - now > 100_000_000) {
            admission -= (long) (1e9 / taken);
            throttled++;
            retries++;
            attempts++;
            delay += 400_000_000;
        }
        if (broken > 0 && attempts % broken == 0) {
            lost++;
            retries++;
            attempts++;
            delay += 50_000_000;
        }
        lineFree = Math.max(now, lineFree) + (long) (bytes * 1e9 / line);
        long work = (long) (bytes * 1e9 / processor);
        cpuNanos += work;
        processorFree = Math.max(now, processorFree) + work;
        long alone = now + (long) (bytes * 1e9 / this.connection);
        CompletableFuture<Object> done = new CompletableFuture<>();
        events.add(new Event(Math.max(alone, Math.max(lineFree, processorFree)) + delay, number++, done));
        return done;
    }

    ClientReading read() {
        return new ClientReading(
                cpuNanos, (long) (now * collections / 1e6), machine, attempts, retries, throttled, lost);
    }
}

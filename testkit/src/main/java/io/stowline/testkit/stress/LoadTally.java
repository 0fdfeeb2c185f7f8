package io.stowline.testkit.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one step: of the calls that ended in its window, and of those that were due in it and not sent. Thread-safe.
 */
final class LoadTally {

    private final long from;
    private final long to;
    private final List<StressOperation> operations;
    private final List<OperationTally> tallies;
    private final LongAdder throttled = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();

    /** The counts of an operation. */
    private static final class OperationTally {
        final LongAdder calls = new LongAdder();
        final LongAdder entities = new LongAdder();
        final LatencyHistogram latencies = new LatencyHistogram();
    }

    LoadTally(List<StressOperation> operations, long from, long to) {
        this.operations = operations;
        this.from = from;
        this.to = to;
        this.tallies =
                Stream.generate(OperationTally::new).limit(operations.size()).toList();
    }

    /** Counts the end of a call, whatever it was, with the entities that it was expected to have. */
    void ended(int place, long now) {
        if (!isOutside(now)) {
            ended.add(operations.get(place).entities());
        }
    }

    private boolean isOutside(long now) {
        return now < from || now >= to;
    }

    void succeeded(int place, int entities, long began, long now) {
        if (!isOutside(now)) {
            OperationTally tally = tallies.get(place);
            tally.calls.increment();
            tally.entities.add(entities);
            tally.latencies.add(now - began);
        }
    }

    void refused(int entities, long now) {
        if (!isOutside(now)) {
            throttled.add(entities);
        }
    }

    void timedOut(int entities, long now) {
        if (!isOutside(now)) {
            timedOut.add(entities);
        }
    }

    /** Counts a failure of the warm-up too. */
    void failed(Throwable failure) {
        failures.increment();
        firstFailure.compareAndSet(null, failure);
    }

    @Nullable
    Throwable firstFailure() {
        return firstFailure.get();
    }

    /**
     * Returns the result of the step.
     *
     * @param heldBack entities that were not sent for the calls in flight
     * @param late entities that were not sent for the machine
     * @param hanging entities of calls that did not end
     */
    StressStep step(int partitions, double offered, double heldBack, double late, double hanging) {
        double seconds = (to - from) / 1e9;
        LatencyHistogram all = new LatencyHistogram();
        List<StressStep.OperationRate> rates = new ArrayList<>();
        double gets = 0;
        double puts = 0;
        for (int i = 0; i < operations.size(); i++) {
            OperationTally tally = tallies.get(i);
            double entities = tally.entities.sum() / seconds;
            gets += operations.get(i).isWrite() ? 0 : entities;
            puts += operations.get(i).isWrite() ? entities : 0;
            all.addAll(tally.latencies);
            rates.add(new StressStep.OperationRate(
                    operations.get(i).name(),
                    tally.calls.sum() / seconds,
                    entities,
                    tally.latencies.millis(0.5),
                    tally.latencies.millis(0.95),
                    tally.latencies.millis(0.99)));
        }
        return new StressStep(
                partitions,
                offered,
                gets,
                puts,
                throttled.sum() / seconds,
                (timedOut.sum() + hanging) / seconds,
                heldBack / seconds,
                late / seconds,
                Math.max(0, offered - (ended.sum() + heldBack + late) / seconds),
                failures.sum(),
                all.millis(0.5),
                all.millis(0.99),
                rates);
    }
}

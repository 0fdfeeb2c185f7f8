package io.stowline.examples.stress;

import io.stowline.Stowline;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.transport.ScalabilityTargets;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A run that ramps the load on one partition, then on more, and at last on one with the client's rate targets.
 *
 * @param connection gives clients of the account
 * @param targets the targets of the account
 * @param partitions the numbers of partitions, rising
 * @param length how long each step takes
 * @param entities how many entities each request writes
 * @param stopped whether to stop before the next step
 * @param out where to show progress
 */
record StressRun(
        Connection connection,
        ScalabilityTargets targets,
        List<Integer> partitions,
        Duration length,
        int entities,
        BooleanSupplier stopped,
        PrintStream out) {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final double FIRST_SHARE = 0.5;
    private static final double LATER_SHARE = 0.6;
    private static final double ABOVE = 1.5;
    private static final int STEPS_OF_A_RAMP = 5;

    /** A function that gives clients of the account. */
    @FunctionalInterface
    interface Connection {

        /** Connects with some settings; the caller closes the client. */
        Stowline connect(UnaryOperator<Stowline.Builder> settings);
    }

    /** Runs all steps. */
    StressFindings run() throws InterruptedException {
        List<LoadSample> samples = new ArrayList<>();
        PermitWatch permits = new PermitWatch();
        // No retries: each refusal is to be seen.
        UnaryOperator<Stowline.Builder> bare = settings -> settings.listener(permits)
                .retry(retry -> retry.backoff(Backoff.none()).deadline(DEADLINE));
        try (Stowline storage = connection.connect(bare);
                ScratchTable<Entity> scratch = ScratchTable.create(storage, "stress", Entity.class);
                ProgressDisplay progress =
                        ProgressDisplay.of(out, "Ramping", (long) STEPS_OF_A_RAMP * partitions.size() + 1)) {
            LoadStep load = new LoadStep(scratch.table(), permits, entities);
            for (int number : partitions) {
                ramp(load, number, samples, progress);
            }
            StressFindings found = new StressFindings(targets, List.copyOf(samples), null);
            return found.isLimited() ? found.with(paced(bare, scratch.table().name(), found, permits)) : found;
        }
    }

    private void ramp(LoadStep load, int number, List<LoadSample> samples, ProgressDisplay progress)
            throws InterruptedException {
        Ramp ramp = new Ramp(
                first(number, samples),
                ABOVE * Math.min(number * targets.partitionEntities(), targets.accountEntities()));
        for (OptionalDouble rate = ramp.next(); rate.isPresent(); rate = ramp.next()) {
            if (stopped.getAsBoolean()) {
                throw new JobFailedException("stopped by a signal; the table is removed");
            }
            LoadSample sample = load.run(number, rate.getAsDouble(), length);
            ramp.take(sample);
            samples.add(sample);
            int ramps = partitions.indexOf(number);
            progress.show(
                    Math.min(samples.size(), (long) STEPS_OF_A_RAMP * (ramps + 1)),
                    String.format(
                            Locale.ROOT,
                            "partitions: %d, written: %,.0f of %,.0f/s",
                            number,
                            sample.accepted(),
                            sample.offered()));
        }
    }

    /** A rate that so many partitions are expected to take. */
    private double first(int number, List<LoadSample> samples) {
        if (samples.isEmpty()) {
            return FIRST_SHARE * targets.partitionEntities();
        }
        int before = samples.get(samples.size() - 1).partitions();
        double best = StressFindings.best(samples, before).accepted();
        return Math.max(1, LATER_SHARE * best * number / before);
    }

    /** A rate above the partition's limit, by a client that knows the limit. */
    private LoadSample paced(
            UnaryOperator<Stowline.Builder> bare, String table, StressFindings found, PermitWatch permits)
            throws InterruptedException {
        double limit = found.partitionLimit();
        ScalabilityTargets paced = StressFindings.targets(StressFindings.PACE * limit, targets.accountEntities());
        try (Stowline storage =
                connection.connect(settings -> bare.apply(settings).rateTargets(paced))) {
            LoadStep load = new LoadStep(storage.table(table), permits, entities);
            load.run(1, ABOVE * limit, length); // takes the second's worth that a new client may send at once
            return load.run(1, ABOVE * limit, length);
        }
    }
}

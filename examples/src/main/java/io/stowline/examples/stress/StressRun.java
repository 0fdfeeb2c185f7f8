package io.stowline.examples.stress;

import io.stowline.Stowline;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgressDisplay;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.Table;
import io.stowline.testkit.stress.StressCall;
import io.stowline.testkit.stress.StressLimit;
import io.stowline.testkit.stress.StressOperation;
import io.stowline.testkit.stress.StressReport;
import io.stowline.testkit.stress.StressStep;
import io.stowline.testkit.stress.StressTest;
import io.stowline.transport.ScalabilityTargets;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * A run of the test kit's stress test, and at last a step on one partition with the client's rate targets.
 *
 * @param connection gives clients of the account
 * @param targets the targets of the account
 * @param options the load
 * @param stopped whether to stop before the next step
 * @param out where to show progress
 */
record StressRun(
        Connection connection,
        ScalabilityTargets targets,
        StressOptions options,
        BooleanSupplier stopped,
        PrintStream out) {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final double FIRST = 0.5;
    private static final double ABOVE = 1.5;
    private static final double PRECISION = 0.15;
    private static final int STEPS_OF_A_RAMP = 6;
    private static final int ROWS = 100;
    private static final String TEXT = "x".repeat(900); // about 1 KiB in all, as the targets assume

    /** A function that gives clients of the account. */
    @FunctionalInterface
    interface Connection {

        /** Connects with some settings; the caller closes the client. */
        Stowline connect(UnaryOperator<Stowline.Builder> settings);
    }

    /** Runs all steps. */
    StressFindings run() throws InterruptedException {
        PermitWatch permits = new PermitWatch();
        // No retries: each refusal is to be seen.
        UnaryOperator<Stowline.Builder> bare = settings -> settings.listener(permits)
                .retry(retry -> retry.backoff(Backoff.none()).deadline(DEADLINE));
        int ramps = 1 + 31 - Integer.numberOfLeadingZeros(options.partitions());
        try (Stowline storage = connection.connect(bare);
                ScratchTable<Entity> scratch = ScratchTable.create(storage, "stress", Entity.class);
                ProgressDisplay progress = ProgressDisplay.of(out, "Ramping", (long) STEPS_OF_A_RAMP * ramps)) {
            AtomicInteger steps = new AtomicInteger();
            StressReport report = load(scratch.table(), permits)
                    .onStep(step -> progress.show(
                            Math.min(steps.incrementAndGet(), (long) STEPS_OF_A_RAMP * ramps), line(step)))
                    .build()
                    .run();
            if (stopped.getAsBoolean()) {
                throw new JobFailedException("stopped by a signal; the table is removed");
            }
            String conduct = permits.conduct();
            return new StressFindings(
                    report,
                    conduct,
                    report.partitionLimit().cause() == StressLimit.Cause.SERVICE
                            ? paced(bare, scratch.table().name(), report, permits)
                            : null);
        }
    }

    private static String line(StressStep step) {
        return String.format(
                Locale.ROOT,
                "partitions: %d, taken: %,.0f of %,.0f/s",
                step.partitions(),
                step.accepted(),
                step.offered());
    }

    private StressTest.Builder load(Table<Entity> table, PermitWatch permits) {
        ReactiveTable<Entity> reactive = table.reactive();
        StressTest.Builder load = StressTest.builder()
                .preload(ROWS, StressOperation.writeAsync("preload", call -> insert(reactive, call)))
                .operation(StressOperation.writeAsync("write", call -> {
                            permits.check();
                            return options.entities() == 1 ? insert(reactive, call) : transaction(reactive, call);
                        })
                        .weight(100 - options.reads())
                        .entities(options.entities()))
                .targets(targets.partitionEntities(), targets.accountEntities())
                .partitions(options.partitions())
                .ramp(FIRST, ABOVE, PRECISION)
                .stepLength(Duration.ofSeconds(options.seconds()))
                .stopWhen(stopped);
        return options.reads() == 0
                ? load
                : load.operation(StressOperation.readAsync("find", call -> {
                            permits.check();
                            return reactive.find(call.partition(), row(call.preloaded()))
                                    .toFuture();
                        })
                        .weight(options.reads()));
    }

    private static CompletionStage<?> insert(ReactiveTable<Entity> table, StressCall call) {
        return table.insertOrReplace(entity(call, call.number())).toFuture();
    }

    private CompletionStage<?> transaction(ReactiveTable<Entity> table, StressCall call) {
        ReactiveTransaction<Entity> transaction = table.transaction(call.partition());
        for (int i = 0; i < options.entities(); i++) {
            transaction = transaction.insertOrReplace(entity(call, options.entities() * call.number() + i));
        }
        return transaction.commit().toFuture();
    }

    private static Entity entity(StressCall call, long number) {
        return Entity.builder(call.partition(), row(number)).set("Text", TEXT).build();
    }

    private static String row(long number) {
        return String.format(Locale.ROOT, "%012d", number);
    }

    /** Offers a rate above the partition's limit, by a client that knows the limit. */
    private StressStep paced(
            UnaryOperator<Stowline.Builder> bare, String table, StressReport report, PermitWatch permits)
            throws InterruptedException {
        double limit = report.partitionLimit().rate();
        ScalabilityTargets paced = targets.toBuilder()
                .partitionEntities(StressFindings.PACE * limit)
                .build();
        try (Stowline storage =
                connection.connect(settings -> bare.apply(settings).rateTargets(paced))) {
            StressTest load = load(storage.table(table), permits).build();
            load.measure(1, ABOVE * limit); // takes the second's worth that a new client may send at once
            return load.measure(1, ABOVE * limit);
        }
    }
}

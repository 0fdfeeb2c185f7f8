package io.stowline.testkit.stress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of the load that a partition takes, and several: the rate rises in steps until the service refuses or times out, and the
 * limit is narrowed down; then the load is spread over more partitions.
 *
 * <p>Calls start when they are due, whatever the latency of those before. Used by one thread at a time.
 */
public final class StressTest {

    private static final double LATER_SHARE = 0.6;

    private final StressPlan plan;
    private final @Nullable Executor threads;
    private long number;

    private StressTest(StressPlan plan, @Nullable Executor threads) {
        this.plan = plan;
        this.threads = threads;
    }

    /**
     * Begins the settings of a test.
     *
     * @return a builder with the defaults
     */
    public static Builder builder() {
        return new Builder();
    }

    /** A part of a test that has its threads. */
    @FunctionalInterface
    private interface Part<R> {
        R run(LoadRun run) throws InterruptedException;
    }

    /**
     * Carries out the preload and all ramps.
     *
     * @return the steps and limits
     * @throws InterruptedException if the thread is interrupted; calls that block are interrupted too
     * @throws IllegalStateException if the preload fails
     */
    public StressReport run() throws InterruptedException {
        return inThreads(run -> {
            StressOperation preload = plan.preload();
            if (preload != null) {
                run.preload(preload, plan.spread().get(plan.spread().size() - 1));
            }
            return ramps(run);
        });
    }

    /**
     * Offers one rate without a ramp and a preload: to measure a client or a setting above or below a limit that is known.
     *
     * @param partitions the number of partitions, at least 1
     * @param rate the rate in entities in a second, above 0
     * @return the result of the step
     * @throws InterruptedException if the thread is interrupted; calls that block are interrupted too
     */
    public StressStep measure(int partitions, double rate) throws InterruptedException {
        Builder.check(partitions >= 1, "partitions", partitions, "at least 1");
        Builder.check(rate > 0 && rate < Double.POSITIVE_INFINITY, "rate", rate, "above 0");
        return inThreads(run -> run.offer(partitions, rate, plan.stepLength()));
    }

    private <R> R inThreads(Part<R> part) throws InterruptedException {
        ExecutorService pool = threads == null ? Executors.newCachedThreadPool(StressTest::daemon) : null;
        LoadRun run = new LoadRun(plan, threads == null ? Objects.requireNonNull(pool) : threads, number);
        try {
            return part.run(run);
        } finally {
            number = run.number();
            if (pool != null) {
                pool.shutdownNow();
            }
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "stress-test");
        thread.setDaemon(true);
        return thread;
    }

    private StressReport ramps(LoadRun run) throws InterruptedException {
        List<StressStep> steps = new ArrayList<>();
        SortedMap<Integer, StressLimit> limits = new TreeMap<>();
        run.offer(1, plan.ramp().first() * plan.target(1), plan.stepLength()); // loads classes, opens connections
        long begun = plan.time().nanoTime();
        BooleanSupplier over = () -> !steps.isEmpty()
                && (plan.stopped().getAsBoolean()
                        || plan.time().nanoTime() - begun > plan.duration().toNanos());
        for (int partitions : plan.spread()) {
            double target = plan.target(partitions);
            LoadRamp ramp = new LoadRamp(
                    first(partitions, steps),
                    plan.ramp().highest() * target,
                    plan.ramp().precision());
            for (OptionalDouble rate = ramp.next(); rate.isPresent() && !over.getAsBoolean(); rate = ramp.next()) {
                StressStep step = run.offer(partitions, rate.getAsDouble(), plan.stepLength());
                ramp.take(step);
                steps.add(step);
                plan.onStep().accept(step);
            }
            if (steps.get(steps.size() - 1).partitions() == partitions) {
                limits.put(partitions, ramp.limit());
            }
            if (ramp.next().isPresent() || steps.get(steps.size() - 1).hasFailed()) {
                break;
            }
        }
        return new StressReport(plan.partitionTarget(), plan.accountTarget(), steps, limits, run.firstFailure());
    }

    /** A rate that so many partitions are expected to take. */
    private double first(int partitions, List<StressStep> steps) {
        if (steps.isEmpty()) {
            return plan.ramp().first() * plan.target(partitions);
        }
        int before = steps.get(steps.size() - 1).partitions();
        double best = steps.stream()
                .filter(step -> step.partitions() == before)
                .mapToDouble(StressStep::accepted)
                .max()
                .orElse(0);
        return Math.max(1, LATER_SHARE * best * partitions / before);
    }

    /** The settings of a {@link StressTest}. */
    public static final class Builder {

        private static final int MAX_PARTITIONS = 1_024;
        private static final int MAX_ROWS = 100_000_000;

        private final List<StressOperation> operations = new ArrayList<>();
        private @Nullable StressOperation preload;
        private int preloaded;
        private int partitions = 1;
        private IntFunction<String> keys = number -> String.format(Locale.ROOT, "partition%02d", number);
        private double partitionTarget = 2_000;
        private double accountTarget = 20_000;
        private double first = 0.25;
        private double highest = 1.5;
        private double precision = 0.1;
        private Duration stepLength = Duration.ofSeconds(5);
        private Duration duration = Duration.ofHours(1);
        private int maxInFlight = 256;
        private Duration patience = Duration.ofSeconds(60);
        private long seed = 1;
        private Function<Throwable, StressFailure> failures = StressFailure::of;
        private BooleanSupplier stopped = () -> false;
        private Consumer<StressStep> onStep = step -> {};
        private LoadTime time = LoadTime.SYSTEM;
        private @Nullable Executor threads;

        private Builder() {}

        private static void check(boolean holds, String name, Object value, String limit) {
            if (!holds) {
                throw new IllegalArgumentException("the " + name + " " + value + " of a stress test: it is " + limit);
            }
        }

        /**
         * Adds an operation to the mix.
         *
         * @param operation the operation with its weight
         * @return this builder
         */
        public Builder operation(StressOperation operation) {
            operations.add(Objects.requireNonNull(operation, "operation"));
            return this;
        }

        /**
         * Fills the partitions before the first step, each row by one call. Refused calls are repeated; another failure ends the test.
         *
         * @param rows how many rows of each partition, 1 to 100,000,000
         * @param operation writes the row {@link StressCall#number} of {@link StressCall#partition}
         * @return this builder
         */
        public Builder preload(int rows, StressOperation operation) {
            check(rows >= 1 && rows <= MAX_ROWS, "preload", rows, "1 to 100,000,000 rows");
            preload = Objects.requireNonNull(operation, "operation");
            preloaded = rows;
            return this;
        }

        /**
         * Sets the most partitions. The load goes to one, then to 2, 4, 8 and so on up to this number.
         *
         * @param max the number, 1 to 1,024; 1 unless set
         * @return this builder
         */
        public Builder partitions(int max) {
            check(max >= 1 && max <= MAX_PARTITIONS, "partitions", max, "1 to 1,024");
            partitions = max;
            return this;
        }

        /**
         * Sets the keys of the partitions.
         *
         * @param keys gives the key of each number from 0; {@code partition00} and so on unless set
         * @return this builder
         */
        public Builder partitionKeys(IntFunction<String> keys) {
            this.keys = Objects.requireNonNull(keys, "keys");
            return this;
        }

        /**
         * Sets the rates that the service is expected to take.
         *
         * @param partition entities in a second of one partition; 2,000 unless set
         * @param account entities in a second of the account; 20,000 unless set
         * @return this builder
         */
        public Builder targets(double partition, double account) {
            check(partition > 0 && partition < Double.POSITIVE_INFINITY, "partition", partition, "above 0");
            check(account > 0 && account < Double.POSITIVE_INFINITY, "account", account, "above 0");
            partitionTarget = partition;
            accountTarget = account;
            return this;
        }

        /**
         * Sets the form of the ramps: each begins low, rises by 40 % a step, and narrows a limit down by steps in between.
         *
         * @param first the share of the target with which the first begins, above 0; 0.25 unless set
         * @param highest the share of the target above which none goes, at least {@code first}; 1.5 unless set
         * @param precision the relative error with which a limit is known enough, 0.05 to 1; 0.1 unless set
         * @return this builder
         */
        public Builder ramp(double first, double highest, double precision) {
            check(first > 0, "first", first, "above 0");
            check(highest >= first && highest < Double.POSITIVE_INFINITY, "highest", highest, "at least " + first);
            check(precision >= 0.05 && precision <= 1, "precision", precision, "0.05 to 1");
            this.first = first;
            this.highest = highest;
            this.precision = precision;
            return this;
        }

        /**
         * Sets the time of a step, of which the first fifth does not count. A service that saves up for bursts seems faster in short steps.
         *
         * @param length the time, 10 ms to 1 h; 5 s unless set
         * @return this builder
         */
        public Builder stepLength(Duration length) {
            check(
                    length.compareTo(Duration.ofMillis(10)) >= 0 && length.compareTo(Duration.ofHours(1)) <= 0,
                    "length",
                    length,
                    "10 ms to 1 h");
            stepLength = length;
            return this;
        }

        /**
         * Sets the time after which no step begins.
         *
         * @param duration the time, above 0; 1 h unless set
         * @return this builder
         */
        public Builder duration(Duration duration) {
            check(!duration.isNegative() && !duration.isZero(), "duration", duration, "above 0");
            this.duration = duration;
            return this;
        }

        /**
         * Sets a condition that ends the test before the next step, such as a signal to the program.
         *
         * @param stopped whether to end; it runs on the thread of the test
         * @return this builder
         */
        public Builder stopWhen(BooleanSupplier stopped) {
            this.stopped = Objects.requireNonNull(stopped, "stopped");
            return this;
        }

        /**
         * Sets how many calls may be in flight. A call that is due beyond that is not sent; calls that block take a thread each.
         *
         * @param number the number, 1 to 10,000; 256 unless set
         * @return this builder
         */
        public Builder maxInFlight(int number) {
            check(number >= 1 && number <= 10_000, "number", number, "1 to 10,000");
            maxInFlight = number;
            return this;
        }

        /**
         * Sets for how long a step waits for its calls at its end. Later ones count as timed out.
         *
         * @param atMost the time, above 0; 60 s unless set
         * @return this builder
         */
        public Builder awaitCalls(Duration atMost) {
            check(!atMost.isNegative() && !atMost.isZero(), "time to await calls", atMost, "above 0");
            patience = atMost;
            return this;
        }

        /**
         * Sets the seed of the mix and of the numbers of the calls: equal seeds draw equal operations in equal order.
         *
         * @param seed the seed; 1 unless set
         * @return this builder
         */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /**
         * Sets the meaning of exceptions, for a client whose refusals {@link StressFailure#of} does not know.
         *
         * @param failures gives the meaning of an exception
         * @return this builder
         */
        public Builder failures(Function<Throwable, StressFailure> failures) {
            this.failures = Objects.requireNonNull(failures, "failures");
            return this;
        }

        /**
         * Sets a listener of the steps, such as a progress bar.
         *
         * @param onStep takes each step at its end, on the thread of the test
         * @return this builder
         */
        public Builder onStep(Consumer<StressStep> onStep) {
            this.onStep = Objects.requireNonNull(onStep, "onStep");
            return this;
        }

        Builder time(LoadTime time, Executor threads) {
            this.time = time;
            this.threads = threads;
            return this;
        }

        /**
         * Makes the test.
         *
         * @return the test
         * @throws IllegalArgumentException if there is no operation, or two have one name
         */
        public StressTest build() {
            check(!operations.isEmpty(), "number of operations", 0, "at least 1");
            long names =
                    operations.stream().map(StressOperation::name).distinct().count();
            check(names == operations.size(), "operations", operations, "one for each name");
            List<Integer> spread = IntStream.iterate(1, number -> number <= partitions, number -> 2 * number)
                    .boxed()
                    .toList();
            return new StressTest(
                    new StressPlan(
                            new LoadMix(operations, seed),
                            preload,
                            preloaded,
                            spread,
                            keys,
                            partitionTarget,
                            accountTarget,
                            new StressPlan.RampForm(first, highest, precision),
                            stepLength,
                            duration,
                            maxInFlight,
                            patience,
                            failures,
                            stopped,
                            onStep,
                            time),
                    threads);
        }
    }
}

package io.stowline.testkit.stress;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a stress test.
 *
 * @param mix the operations
 * @param preload the operation of the preload, or null
 * @param preloaded how many rows of each partition it writes
 * @param spread the numbers of partitions, rising
 * @param partitions the key of each partition
 * @param partitionTarget entities in a second that a partition should take
 * @param accountTarget entities in a second that the account should take
 * @param ramp the form of the ramps
 * @param stepLength the time of a step
 * @param duration the time after which no step begins
 * @param maxInFlight how many calls are in flight at most
 * @param patience for how long a step waits for its calls
 * @param failures the meaning of failures
 * @param stopped whether no step may begin
 * @param onStep takes each step
 * @param time the clock
 */
record StressPlan(
        LoadMix mix,
        @Nullable StressOperation preload,
        int preloaded,
        List<Integer> spread,
        IntFunction<String> partitions,
        double partitionTarget,
        double accountTarget,
        RampForm ramp,
        Duration stepLength,
        Duration duration,
        int maxInFlight,
        Duration patience,
        Function<Throwable, StressFailure> failures,
        BooleanSupplier stopped,
        Consumer<StressStep> onStep,
        LoadTime time) {

    /**
     * The form of the ramps.
     *
     * @param first the share of the target with which they begin
     * @param highest the share of the target above which they do not go
     * @param precision the relative error of a limit
     */
    record RampForm(double first, double highest, double precision) {}

    /** Returns the target of some partitions. */
    double target(int number) {
        return Math.min(number * partitionTarget, accountTarget);
    }

    /** Returns the meaning of a failure; an unknown one for a function that fails itself. */
    StressFailure kind(Throwable failure) {
        try {
            return Objects.requireNonNullElse(failures.apply(failure), StressFailure.OTHER);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return StressFailure.OTHER;
        }
    }
}

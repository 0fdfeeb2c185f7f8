package io.stowline.testkit.stress;

import io.stowline.testkit.stress.StressLimit.Cause;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The rates of the steps for one number of partitions: each higher than the one before until the service refuses, then between what it took
 * and what it refused, until both are close. A rate that is refused in small part is offered once more.
 */
final class LoadRamp {

    private static final double FACTOR = 1.4;
    private static final int MAX_STEPS = 24;

    /** Refusals below this share may come from a pause of the client or the service, after which calls come together. */
    private static final double MARGINAL = 0.15;

    private static final int MAX_HALVINGS = 6;
    private static final double CLOSE = 1.005;

    private final double highest;
    private final double precision;
    private double next;
    private double clean;
    private double refused = Double.POSITIVE_INFINITY;
    private double accepted;
    private double cleanAccepted;
    private double demand;
    private double repeated;
    private int steps;
    private int halvings;
    private @Nullable Cause ended;

    /**
     * Begins a ramp.
     *
     * @param first the rate of the first step
     * @param highest the rate above which no step goes
     * @param precision by which part of a limit its bounds may differ from the middle
     */
    LoadRamp(double first, double highest, double precision) {
        this.next = Math.min(first, highest);
        this.highest = highest;
        this.precision = precision;
    }

    /** Returns the rate of the next step, if there is one. */
    OptionalDouble next() {
        return ended == null ? OptionalDouble.of(next) : OptionalDouble.empty();
    }

    /** Takes the result of a step with that rate. */
    void take(StressStep step) {
        steps++;
        accepted = Math.max(accepted, step.accepted());
        if (step.hasFailed()) {
            ended = Cause.FAILURES;
        } else if (mayBePause(step) && repeated != next) {
            repeated = next;
        } else if (step.isThrottled()) {
            refused = Math.min(refused, next);
            demand = step.accepted() + step.throttled() + step.timedOut();
            narrow();
        } else if (step.isHeldBack()) {
            ended = refused < Double.POSITIVE_INFINITY ? Cause.SERVICE : Cause.CLIENT;
        } else {
            clean = Math.max(clean, next);
            cleanAccepted = Math.max(cleanAccepted, step.accepted());
            rise();
        }
        if (ended == null && steps == MAX_STEPS) {
            ended = refused < Double.POSITIVE_INFINITY ? Cause.SERVICE : Cause.NOT_REACHED;
        }
    }

    private static boolean mayBePause(StressStep step) {
        return step.missed() < MARGINAL ? step.isThrottled() || step.isHeldBack() : step.isLate();
    }

    private void rise() {
        if (refused < Double.POSITIVE_INFINITY) {
            narrow();
        } else if (clean >= highest) {
            ended = Cause.NOT_REACHED;
        } else {
            next = Math.min(next * FACTOR, highest);
        }
    }

    private void narrow() {
        if (clean == 0) {
            next = refused / 2;
            halvings++;
            ended = halvings > MAX_HALVINGS ? Cause.SERVICE : null;
        } else if (bounds().error() <= precision || refused < CLOSE * clean) {
            ended = Cause.SERVICE;
        } else {
            next = Math.sqrt(clean * refused);
        }
    }

    /** By what calls reported, which may differ from the rate. What the service took at another rate widens the upper bound. */
    private StressLimit bounds() {
        return new StressLimit(
                Cause.SERVICE,
                (1 - StressStep.NOTICEABLE) * cleanAccepted,
                (1 + StressStep.NOTICEABLE) * Math.max(demand, accepted));
    }

    /** Returns the limit; of a ramp that goes on, that it was stopped. */
    StressLimit limit() {
        Cause cause = ended == null ? Cause.STOPPED : ended;
        if (cause != Cause.SERVICE) {
            return new StressLimit(cause, accepted, accepted);
        }
        return clean == 0 || clean >= refused ? new StressLimit(cause, accepted, accepted) : bounds();
    }
}

package io.stowline.testkit.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.testkit.stress.StressLimit.Cause;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class LoadRampTest {

    static StressStep step(int partitions, double offered, double puts, double throttled, double heldBack) {
        double unfinished = Math.max(0, offered - puts - throttled - heldBack);
        return new StressStep(partitions, offered, 0, puts, throttled, 0, heldBack, 0, unfinished, 0, 5, 50, List.of());
    }

    private static StressStep failed(double offered) {
        return new StressStep(1, offered, 0, offered, 0, 0, 0, 0, 0, 1, 5, 50, List.of());
    }

    @Test
    void risesUntilTheServiceRefusesAndNarrowsDown() {
        LoadRamp ramp = new LoadRamp(100, 1_000, 0.1);
        ramp.take(step(1, 100, 100, 0, 0));
        assertThat(ramp.next().orElseThrow()).isCloseTo(140, within(1e-6));
        ramp.take(step(1, 140, 137, 3, 0)); // below 3 %
        assertThat(ramp.next().orElseThrow()).isCloseTo(196, within(1e-6));
        ramp.take(step(1, 196, 150, 46, 0));
        assertThat(ramp.next().orElseThrow()).isCloseTo(Math.sqrt(140 * 196), within(1e-6));
        ramp.take(step(1, 165, 150, 15, 0));
        assertThat(ramp.next().orElseThrow())
                .as("few refusals may be those of a pause")
                .isCloseTo(Math.sqrt(140 * 196), within(1e-6));
        ramp.take(step(1, 165, 150, 15, 0));
        assertThat(ramp.next().orElseThrow()).isCloseTo(152.2, within(0.1));
        ramp.take(step(1, 152.2, 150, 2.2, 0));

        assertThat(ramp.next()).isEmpty();
        assertThat(ramp.limit().cause()).isEqualTo(Cause.SERVICE);
        assertThat(ramp.limit().rate()).isCloseTo(158, within(3.0));
        assertThat(ramp.limit().error()).isLessThan(0.1);
    }

    @Property
    @Label("T19: a ramp ends, and the limit of a service that refuses exactly is between its bounds")
    void endsWithTheLimitBetweenItsBounds(
            @ForAll @DoubleRange(min = 1, max = 5_000) double limit,
            @ForAll @DoubleRange(min = 1, max = 5_000) double first,
            @ForAll @DoubleRange(min = 0.05, max = 1) double precision) {
        LoadRamp ramp = new LoadRamp(first, 20_000, precision);
        int steps = 0;
        while (ramp.next().isPresent()) {
            double rate = ramp.next().getAsDouble();
            double accepted = Math.min(rate, limit);
            ramp.take(step(1, rate, accepted, rate - accepted, 0));
            assertThat(++steps).isLessThanOrEqualTo(24);
        }

        if (steps < 24 && limit > first / 32) {
            assertThat(ramp.limit().cause()).isEqualTo(Cause.SERVICE);
            assertThat(limit).isBetween(ramp.limit().low() - 1e-9, ramp.limit().high() + 1e-9);
            assertThat(ramp.limit().error()).isLessThanOrEqualTo(precision);
        }
    }

    @Test
    void goesDownIfTheFirstStepIsTooMuch() {
        LoadRamp ramp = new LoadRamp(1_000, 2_000, 0.1);
        ramp.take(step(1, 1_000, 100, 900, 0));
        assertThat(ramp.next()).hasValue(500);
        for (int i = 0; i < 6; i++) {
            ramp.take(step(1, ramp.next().orElseThrow(), 0, 1_000, 0));
        }

        assertThat(ramp.next()).isEmpty();
        assertThat(ramp.limit()).isEqualTo(new StressLimit(Cause.SERVICE, 100, 100));
    }

    @Test
    void endsWhenTheClientHoldsTheLoadBack() {
        LoadRamp ramp = new LoadRamp(100, 1_000, 0.1);
        ramp.take(step(1, 100, 90, 0, 10));
        assertThat(ramp.next()).as("it may have been a pause").hasValue(100);
        ramp.take(step(1, 100, 90, 0, 10));

        assertThat(ramp.next()).isEmpty();
        assertThat(ramp.limit()).isEqualTo(new StressLimit(Cause.CLIENT, 90, 90));
        assertThat(ramp.limit().error()).isZero();
    }

    @Test
    void takesCallsThatDoNotEndForTheClient() {
        LoadRamp ramp = new LoadRamp(100, 1_000, 0.1);
        ramp.take(step(1, 100, 80, 0, 0));

        assertThat(ramp.limit()).isEqualTo(new StressLimit(Cause.CLIENT, 80, 80));
    }

    @Test
    void endsThoughBurstsWidenItsBounds() {
        LoadRamp ramp = new LoadRamp(100, 1_000, 0.1);
        ramp.take(step(1, 100, 130, 0, 0));
        int steps = 1;
        for (; ramp.next().isPresent(); steps++) {
            double rate = ramp.next().getAsDouble();
            ramp.take(rate > 101 ? step(1, rate, 80, rate - 80, 0) : step(1, rate, rate, 0, 0));
        }

        assertThat(steps).isLessThan(9);
        assertThat(ramp.limit().high()).isGreaterThan(130);
    }

    @Test
    void endsWithFailures() {
        LoadRamp ramp = new LoadRamp(100, 1_000, 0.1);
        ramp.take(failed(100));

        assertThat(ramp.next()).isEmpty();
        assertThat(ramp.limit().cause()).isEqualTo(Cause.FAILURES);
    }

    @Test
    void doesNotExceedTheHighestRate() {
        LoadRamp ramp = new LoadRamp(90, 100, 0.1);
        ramp.take(step(1, 90, 90, 0, 0));
        assertThat(ramp.limit().cause()).isEqualTo(Cause.STOPPED);
        assertThat(ramp.next()).hasValue(100);
        ramp.take(step(1, 100, 100, 0, 0));

        assertThat(ramp.next()).isEmpty();
        assertThat(ramp.limit().cause()).isEqualTo(Cause.NOT_REACHED);
        assertThat(new LoadRamp(200, 100, 0.1).next()).hasValue(100);
    }
}

package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.Receiver;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The properties of a rate limit with callers that come, wait and leave, in virtual time. */
class RateWindowTest {

    /** A caller that comes after a pause; with {@code leaves} the one before it leaves. */
    record Step(int pauseMillis, double weight, boolean leaves) {}

    record Passage(int number, double weight, double second) {}

    @Provide
    Arbitrary<Step> steps() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 700),
                        Arbitraries.doubles().between(0, 8).ofScale(2),
                        Arbitraries.of(true, false, false))
                .as(Step::new);
    }

    private static List<Passage> passages(double rate, double burst, List<Step> steps) {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        RateLimit limit = RateLimit.perSecond(rate, burst, RefillClock.steady(clock));
        List<Passage> passages = new ArrayList<>();
        Disposable before = Disposables.disposed();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            int number = i;
            clock.advanceTimeBy(Duration.ofMillis(step.pauseMillis()));
            if (step.leaves()) {
                before.dispose();
            }
            before = limit.acquire(step.weight(), Deadline.in(Duration.ofDays(1), clock))
                    .subscribe(
                            none -> {},
                            null,
                            () -> passages.add(
                                    new Passage(number, step.weight(), clock.now(TimeUnit.NANOSECONDS) / 1e9)));
            assertThat(limit.available()).isLessThanOrEqualTo(burst);
        }
        clock.advanceTimeBy(Duration.ofHours(10));
        assertThat(limit.waiting()).isZero();
        assertThat(limit.available()).isCloseTo(burst, within(1e-9));
        clock.dispose();
        return passages;
    }

    @Property(tries = 300)
    @Label("PERMIT-4: in any span of time at most burst + rate * t passes")
    void anySpanIsBounded(
            @ForAll @DoubleRange(min = 0.5, max = 50) double rate,
            @ForAll @DoubleRange(max = 10) double burst,
            @ForAll @Size(max = 60) List<@From("steps") Step> steps) {
        List<Passage> passages = passages(rate, burst, steps);
        for (int from = 0; from < passages.size(); from++) {
            double weight = 0;
            for (int to = from; to < passages.size(); to++) {
                double last = passages.get(to).weight();
                double seconds = passages.get(to).second() - passages.get(from).second();
                weight += last;
                // The last one may exceed the burst: then it passes when all before it is paid, and is paid later.
                double paid = weight - Math.max(0, last - burst);
                assertThat(paid).isLessThanOrEqualTo(spill(passages.get(from), burst) + rate * seconds + 1e-6);
            }
        }
    }

    /** The burst, or the one weight that exceeds it, passes at the first moment of a span. */
    private static double spill(Passage first, double burst) {
        return Math.max(burst, first.weight());
    }

    @Property(tries = 300)
    @Label("PERMIT-4: those who do not leave pass in the order of their coming, and all of them pass")
    void firstComeFirstServed(
            @ForAll @DoubleRange(min = 0.5, max = 50) double rate,
            @ForAll @DoubleRange(max = 10) double burst,
            @ForAll @Size(max = 60) List<@From("steps") Step> steps) {
        List<Passage> passages = passages(rate, burst, steps);

        assertThat(passages).extracting(Passage::number).isSorted();
        for (int i = 0; i < steps.size(); i++) {
            boolean stays = i + 1 == steps.size() || !steps.get(i + 1).leaves();
            if (stays) {
                assertThat(passages).extracting(Passage::number).contains(i);
            }
        }
    }

    @Property(tries = 300)
    @Label("PERMIT-4: what was said about the wait is true: just enough time passes, a nanosecond less does not")
    void theWaitIsExact(
            @ForAll @DoubleRange(min = 0.5, max = 50) double rate,
            @ForAll @DoubleRange(max = 10) double burst,
            @ForAll @Size(max = 20) List<@DoubleRange(max = 12) Double> before,
            @ForAll @DoubleRange(min = 0.1, max = 12) double weight) {
        ManualTimer clock = new ManualTimer(Long.MAX_VALUE - 5);
        RateLimit limit = RateLimit.perSecond(rate, burst, RefillClock.steady(clock));
        for (double each : before) {
            limit.acquire(each, Deadline.in(Duration.ofDays(1), clock)).subscribe();
        }
        Receiver<Void> hasty = new Receiver<>();
        limit.acquire(weight, Deadline.in(Duration.ZERO, clock)).subscribe(hasty);
        if (hasty.completed()) {
            return;
        }
        Duration needed = ((RateTimeoutException) hasty.error()).needed();
        Receiver<Void> late = new Receiver<>();
        limit.acquire(weight, Deadline.in(needed.minusNanos(1), clock)).subscribe(late);
        Receiver<Void> just = new Receiver<>();
        limit.acquire(weight, Deadline.in(needed, clock)).subscribe(just);

        assertThat(late.failed()).isTrue();
        clock.advance(needed.minusNanos(1));
        assertThat(just.completed()).isFalse();
        clock.advance(Duration.ofNanos(1));
        assertThat(just.completed()).isTrue();
    }
}

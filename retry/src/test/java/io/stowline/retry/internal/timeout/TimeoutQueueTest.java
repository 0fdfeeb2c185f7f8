package io.stowline.retry.internal.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.retry.ManualTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class TimeoutQueueTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualTimer timer = new ManualTimer();
    private final TimeoutQueue timeouts = new TimeoutQueue(timer);
    private final List<String> over = new ArrayList<>();

    private Disposable start(String name, long seconds) {
        return timeouts.schedule(() -> over.add(name), seconds * SECOND);
    }

    @Test
    @DisplayName("Attempts that end in time set one alarm in all")
    void oneAlarm() {
        for (int n = 0; n < 1_000; n++) {
            start("of attempt " + n, 35).dispose();
        }
        assertThat(timer.started()).isEqualTo(1);
        assertThat(timeouts.isEmpty()).isTrue();

        timer.advance(Duration.ofSeconds(35));
        assertThat(over).isEmpty();
        assertThat(timer.running()).isZero();
        start("next", 35);
        timer.advance(Duration.ofSeconds(35));
        assertThat(over).containsExactly("next");
    }

    @Test
    @DisplayName("RETRY-8: a shorter time is not kept waiting by a longer one")
    void shorter() {
        start("long", 35);
        start("short", 5);
        start("middle", 20);
        timer.advance(Duration.ofSeconds(4));
        assertThat(over).isEmpty();
        timer.advance(Duration.ofSeconds(1));
        assertThat(over).containsExactly("short");
        timer.advance(Duration.ofSeconds(15));
        assertThat(over).containsExactly("short", "middle");
        timer.advance(Duration.ofSeconds(15));
        assertThat(over).containsExactly("short", "middle", "long");
        assertThat(timer.running()).isZero();
    }

    @Test
    @DisplayName("The end of one time that fails keeps no other from its end")
    void failure() {
        Disposable unused = timeouts.schedule(
                () -> {
                    throw new StackOverflowError("of an attempt");
                },
                SECOND);
        start("next", 1);
        timer.advance(Duration.ofSeconds(1));

        assertThat(over).containsExactly("next");
        assertThat(unused.isDisposed()).isFalse();
    }

    @Test
    @DisplayName("A timer that refuses an alarm leaves nothing behind, and the next time has one")
    void refusal() {
        timer.refuse();
        assertThatThrownBy(() -> start("refused", 1)).isInstanceOf(RejectedExecutionException.class);
        assertThat(timeouts.isEmpty()).isTrue();
        assertThatThrownBy(() -> start("refused again", 1)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    @DisplayName("An endless time is never over")
    void endless() {
        timeouts.schedule(() -> over.add("endless"), Long.MAX_VALUE);
        start("short", 1);
        timer.advance(Duration.ofDays(36_500));
        assertThat(over).containsExactly("short");
    }

    /** One step: a time that starts, or the end of one that has been started. */
    private record Step(int number, boolean ends, int millis, int pause) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Integer> small = Arbitraries.integers().between(0, 40);
        return Combinators.combine(
                        small,
                        Arbitraries.of(true, false),
                        small,
                        Arbitraries.integers().between(0, 5))
                .as(Step::new)
                .list()
                .ofMaxSize(80);
    }

    @Property(tries = 300)
    @Label("RETRY-8: each time is over at its moment unless it was ended before, whatever starts and ends beside it")
    void asOneTimerForEach(@ForAll("steps") List<Step> steps, @ForAll long origin) {
        ManualTimer clock = new ManualTimer(origin);
        TimeoutQueue queue = new TimeoutQueue(clock);
        List<Disposable> started = new ArrayList<>();
        Map<Integer, Long> expected = new TreeMap<>();
        Map<Integer, Long> seen = new TreeMap<>();
        for (Step step : steps) {
            if (step.ends && !started.isEmpty()) {
                int ended = step.number % started.size();
                started.get(ended).dispose();
                long at = expected.getOrDefault(ended, origin);
                if (at - clock.now(TimeUnit.NANOSECONDS) > 0) {
                    expected.remove(ended);
                }
            } else {
                int number = started.size();
                long nanos = TimeUnit.MILLISECONDS.toNanos(step.millis);
                expected.put(number, clock.now(TimeUnit.NANOSECONDS) + nanos);
                started.add(queue.schedule(() -> seen.put(number, clock.now(TimeUnit.NANOSECONDS)), nanos));
            }
            clock.advance(Duration.ofMillis(step.pause));
        }
        clock.advance(Duration.ofSeconds(1));

        assertThat(seen).isEqualTo(expected);
        assertThat(queue.isEmpty()).isTrue();
        assertThat(clock.running()).isZero();
    }
}

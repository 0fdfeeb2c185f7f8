package io.stowline.benchmarks.scale.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class EventClockTest {

    private final EventClock clock = new EventClock();

    @Test
    void runsEventsInTheOrderOfTheirTimesAndThenOfTheirScheduling() {
        record Expected(long at, int number) {}
        Random random = new Random(3);
        List<Expected> expected = new ArrayList<>();
        List<Expected> seen = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            Expected event = new Expected(random.nextInt(500), i);
            expected.add(event);
            clock.at(event.at(), () -> {
                assertThat(clock.now()).isEqualTo(event.at());
                seen.add(event);
            });
        }
        clock.runUntil(1);

        expected.sort(Comparator.comparingLong(Expected::at).thenComparing(Expected::number));
        assertThat(seen).isEqualTo(expected);
        assertThat(clock.seconds()).isEqualTo(1);
    }

    @Test
    void runsNoEventThatIsDisposedOfOrLater() {
        List<String> seen = new ArrayList<>();
        Disposable timer = clock.schedule(() -> seen.add("disposed"), 10, TimeUnit.MILLISECONDS);
        clock.schedule(() -> seen.add("later"), 11, TimeUnit.SECONDS);
        clock.schedule(() -> seen.add("now"));

        timer.dispose();
        clock.runUntil(10);

        assertThat(timer.isDisposed()).isTrue();
        assertThat(seen).containsExactly("now");
        assertThat(clock.now(TimeUnit.SECONDS)).isEqualTo(10);
    }

    @Test
    void hasNoWorkers() {
        assertThatThrownBy(clock::createWorker).isInstanceOf(UnsupportedOperationException.class);
    }
}

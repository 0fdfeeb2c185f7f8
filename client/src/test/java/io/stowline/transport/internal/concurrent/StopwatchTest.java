package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.SleepyClock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StopwatchTest {

    private final SleepyClock machine = new SleepyClock();

    @Test
    @DisplayName("OUTCOME-0: an age is the larger of the monotonic and the wall clock's difference")
    void larger() {
        Stopwatch watch = Stopwatch.start(machine);
        machine.runs(Duration.ofSeconds(3));
        assertThat(watch.age()).isEqualTo(Duration.ofSeconds(3));

        machine.sleeps(Duration.ofMinutes(1));
        assertThat(watch.age()).isEqualTo(Duration.ofSeconds(63));
        machine.sleeps(Duration.ofHours(-1));
        assertThat(watch.age()).isEqualTo(Duration.ofSeconds(3));
        assertThat(watch.startedEarlier(Duration.ofSeconds(4)).age()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    @DisplayName("OUTCOME-0: of two moments each clock counts from its earlier one")
    void earliest() {
        Stopwatch first = Stopwatch.start(machine);
        machine.runs(Duration.ofSeconds(1));
        machine.sleeps(Duration.ofSeconds(-10));
        Stopwatch second = Stopwatch.start(machine);
        machine.runs(Duration.ofSeconds(1));

        assertThat(first.earliest(second).age()).isEqualTo(Duration.ofSeconds(2));
        machine.sleeps(Duration.ofSeconds(10));
        assertThat(second.earliest(first).age()).isEqualTo(Duration.ofSeconds(11));
    }
}

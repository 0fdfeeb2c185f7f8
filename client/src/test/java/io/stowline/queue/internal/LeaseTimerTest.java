package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class LeaseTimerTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    @Test
    @DisplayName(
            "OUTCOME-7: a lease runs for certain until a second before its end, counted from before it was asked for")
    void endsASecondBefore() {
        LeaseTimer leaseTimer = LeaseTimer.of(Stopwatch.start(clock), Duration.ofSeconds(30));

        clock.advanceTimeBy(Duration.ofSeconds(29).minusNanos(1));
        assertThat(leaseTimer.runs()).isTrue();
        clock.advanceTimeBy(Duration.ofNanos(1));
        assertThat(leaseTimer.runs()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: a lease that ended while the machine slept does not run for certain")
    void endsInSleep() {
        SleepyClock machine = new SleepyClock();
        LeaseTimer leaseTimer = LeaseTimer.of(Stopwatch.start(machine), Duration.ofSeconds(30));

        machine.sleeps(Duration.ofSeconds(28));
        assertThat(leaseTimer.runs()).isTrue();
        machine.sleeps(Duration.ofSeconds(1));
        assertThat(leaseTimer.runs()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: a lease of a second or none runs never for certain")
    void mayNotRunAtAll() {
        assertThat(LeaseTimer.of(Stopwatch.start(clock), Duration.ofSeconds(1)).runs())
                .isFalse();
        assertThat(LeaseTimer.of(Stopwatch.start(clock), Duration.ZERO).runs()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: an update that may have given the message another receipt ends the certainty")
    void isContested() {
        LeaseTimer leaseTimer = LeaseTimer.of(Stopwatch.start(clock), Duration.ofSeconds(30));
        leaseTimer.contest();

        assertThat(leaseTimer.runs()).isFalse();
    }
}

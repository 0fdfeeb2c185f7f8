package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class StandstillTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Standstill standstill = new Standstill(clock);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    @Property(tries = 200)
    @Label("TRANSFER-7: the length is the time since the last movement, without the waits")
    void like(@ForAll List<@IntRange(min = 0, max = 3) Integer> steps) {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        Standstill counted = new Standstill(time);
        boolean running = false;
        long length = 0;
        for (int step : steps) {
            switch (step) {
                case 0 -> {
                    counted.admitted();
                    running = true;
                }
                case 1 -> {
                    counted.waits();
                    running = false;
                }
                case 2 -> {
                    counted.moved();
                    length = 0;
                }
                default -> {
                    time.advanceTimeBy(seconds(1));
                    length += running ? 1 : 0;
                }
            }
            assertThat(counted.length()).isEqualTo(seconds(length));
        }
        time.dispose();
    }

    @Test
    @DisplayName("TRANSFER-7: a deadline moves away with each movement, and rests during waits")
    void deadlines() {
        Deadline deadline = standstill.deadline(seconds(120));
        clock.advanceTimeBy(seconds(1_000));
        assertThat(deadline.remaining()).isEqualTo(seconds(120));
        standstill.admitted();
        clock.advanceTimeBy(seconds(100));
        assertThat(deadline.remaining()).isEqualTo(seconds(20));
        assertThat(standstill.deadline(seconds(120)).remaining()).isEqualTo(seconds(20));
        assertThat(deadline.minus(seconds(7)).remaining()).isEqualTo(seconds(13));
        standstill.moved();
        assertThat(deadline.remaining()).isEqualTo(seconds(120));
        clock.advanceTimeBy(seconds(120));
        assertThat(deadline.expired()).isTrue();
        assertThat(standstill.age()).isEqualTo(seconds(1_220));
    }
}

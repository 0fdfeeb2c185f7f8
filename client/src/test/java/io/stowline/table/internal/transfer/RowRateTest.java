package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class RowRateTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    @AfterEach
    void close() {
        time.dispose();
    }

    private RowRate rate(OptionalInt perSecond) {
        return new RowRate(perSecond, time, pause -> {
            time.advanceTimeBy(pause);
            return Mono.just(0L);
        });
    }

    private Duration after(RowRate rate, int groups) {
        long began = time.now(TimeUnit.NANOSECONDS);
        for (int i = 0; i < groups; i++) {
            rate.take(100);
        }
        return Duration.ofNanos(time.now(TimeUnit.NANOSECONDS) - began);
    }

    @Test
    void rowsTakeTheirTime() {
        assertThat(after(rate(OptionalInt.of(1_000)), 50)).isEqualTo(Duration.ofSeconds(5));
        assertThat(after(rate(OptionalInt.empty()), 50)).isZero();
    }

    @Test
    void aPauseSavesNothingUp() {
        RowRate rate = rate(OptionalInt.of(1_000));
        after(rate, 10);
        time.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(after(rate, 10)).isEqualTo(Duration.ofSeconds(1));
    }
}

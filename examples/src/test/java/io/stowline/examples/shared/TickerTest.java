package io.stowline.examples.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TickerTest {

    @Test
    void ticksWhileTheWorkIsDone() throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(3);

        Ticker.during(ticks::await, Duration.ofMillis(1), ticks::countDown);

        assertThat(ticks.getCount()).isZero();
    }

    @Test
    void hasTheLastTickBehindItWhenItReturns() throws InterruptedException {
        Thread worker = Thread.currentThread();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicReference<Thread> thread = new AtomicReference<>();

        Ticker.during(begun::await, Duration.ofMillis(1), () -> {
            thread.set(Thread.currentThread());
            begun.countDown();
            while (worker.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(100_000);
            }
            ended.set(true);
        });

        assertThat(ended).isTrue();
        assertThat(thread.get().isDaemon()).isTrue();
    }

    @Test
    void throwsWhatTheWorkThrows() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Ticker.during(
                        () -> {
                            throw new IllegalStateException("broken");
                        },
                        Duration.ofHours(1),
                        () -> {}))
                .withMessage("broken");
    }
}

package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
import io.stowline.retry.NoTimer;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Gate.PermitRegistration;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;

/** P4, P5: the gate under real threads, whose order no test decides; what must hold holds in every order. */
@Timeout(60)
class GateThreadsTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 20_000;
    private static final int LIMIT = 2;

    private final Gate gate = Gate.fixed(LIMIT);
    private final ManualTimer stopped = new ManualTimer();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger max = new AtomicInteger();

    @Test
    @DisplayName("PERMIT-4: grants racing with cancels lose no permit and never exceed the limit")
    void grantsRaceWithCancels() throws Exception {
        AtomicInteger granted = new AtomicInteger();
        inThreads(() -> {
            SplittableRandom random =
                    new SplittableRandom(Thread.currentThread().getId());
            for (int i = 0; i < ROUNDS; i++) {
                PermitRegistration waiting = gate.request(priority(random), permit -> {
                    granted.incrementAndGet();
                    hold(permit);
                });
                if (random.nextInt(3) == 0) {
                    waiting.cancel();
                }
            }
            return null;
        });

        assertThat(granted.get()).isGreaterThanOrEqualTo(THREADS * ROUNDS / 2);
        expectIdle();
    }

    @Test
    @DisplayName("PERMIT-4: a subscriber's cancel racing with its grant loses no permit")
    void subscribersCancelWhileGranted() throws Exception {
        Deadline far = Deadline.in(Duration.ofHours(1), stopped);
        inThreads(() -> {
            SplittableRandom random =
                    new SplittableRandom(Thread.currentThread().getId());
            for (int i = 0; i < ROUNDS; i++) {
                Permit blocker = gate.tryAcquire(PermitPriority.NORMAL);
                Disposable subscriber =
                        gate.acquire(priority(random), far, new NoTimer()).subscribe(this::hold);
                if (blocker != null) {
                    blocker.release();
                }
                if (random.nextBoolean()) {
                    subscriber.dispose();
                }
            }
            return null;
        });

        expectIdle();
    }

    private static PermitPriority priority(SplittableRandom random) {
        return random.nextInt(8) == 0 ? PermitPriority.SETTLE : PermitPriority.NORMAL;
    }

    private void hold(Permit permit) {
        max.accumulateAndGet(inside.incrementAndGet(), Math::max);
        Thread.onSpinWait();
        inside.decrementAndGet();
        permit.release();
    }

    private void expectIdle() {
        assertThat(max.get()).isBetween(1, LIMIT + 1);
        assertThat(gate.inUse()).isZero();
        assertThat(gate.waiting()).isZero();
    }

    private static void inThreads(Callable<Void> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(work));
            }
            for (Future<Void> one : running) {
                one.get(50, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}

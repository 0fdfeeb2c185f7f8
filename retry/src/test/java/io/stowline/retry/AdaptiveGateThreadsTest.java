package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.AttemptEnd.ThrottleScope;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.gate.Permit;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/** P2, P4: limits that change under real threads; what must hold holds in every order. */
@Timeout(60)
class AdaptiveGateThreadsTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 20_000;

    /** Every reading is a tenth of a millisecond later, so that windows end whatever the machine does. */
    private final AtomicLong readings = new AtomicLong();

    private final NoTimer timer = new NoTimer();
    private final PartitionedGate<Integer> gates =
            PartitionedGate.of(ParallelismSettings.builder().start(2).max(6).build(), clock());
    private final AtomicInteger granted = new AtomicInteger();

    private Scheduler clock() {
        return new CountingClock(readings);
    }

    @Test
    @DisplayName(
            "PERMIT-4: grants, cancels, throttling and changes of the limit lose no permit and leave nobody waiting")
    void losesNothing() throws Exception {
        ManualTimer stopped = new ManualTimer();
        Deadline far = Deadline.in(Duration.ofHours(1), stopped);
        inThreads(() -> {
            SplittableRandom random =
                    new SplittableRandom(Thread.currentThread().getId());
            for (int i = 0; i < ROUNDS; i++) {
                int partition = random.nextInt(4);
                int way = random.nextInt(20);
                PermitPriority priority = random.nextInt(8) == 0 ? PermitPriority.SETTLE : PermitPriority.NORMAL;
                Permit blocker = gates.account().tryAcquire(PermitPriority.NORMAL);
                Disposable requesting =
                        gates.acquire(partition, priority, far, timer).subscribe(permit -> end(permit, partition, way));
                if (blocker != null) {
                    end(blocker, partition, way);
                }
                if (random.nextInt(4) == 0) {
                    requesting.dispose();
                }
            }
            return null;
        });

        assertThat(granted.get()).isGreaterThan(THREADS * ROUNDS / 2);
        assertThat(gates.account().inUse()).isZero();
        assertThat(gates.account().waiting()).isZero();
        for (int partition = 0; partition < 4; partition++) {
            gates.acquire(partition, PermitPriority.NORMAL, far, timer).subscribe(Permit::release);
        }
        assertThat(gates.account().inUse()).isZero();
        assertThat(gates.account().waiting()).isZero();
    }

    private void end(Permit permit, int partition, int way) {
        granted.incrementAndGet();
        switch (way) {
            case 0 -> gates.throttled(permit, partition, ThrottleScope.PARTITION);
            case 1 -> gates.throttled(permit, partition, ThrottleScope.ACCOUNT);
            case 2 -> permit.release();
            default -> permit.responded("read");
        }
        permit.release();
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

    private record CountingClock(AtomicLong readings) implements Scheduler {

        @Override
        public long now(TimeUnit unit) {
            return unit.convert(readings.addAndGet(100_000), TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task) {
            throw new UnsupportedOperationException("tells the time only");
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("no workers");
        }
    }
}

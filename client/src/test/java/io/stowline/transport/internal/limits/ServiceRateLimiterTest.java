package io.stowline.transport.internal.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.limits.ServiceRateLimiter.Charge;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Charges to several targets where many threads take them, cancel and give back, in a time that stands still. */
class ServiceRateLimiterTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 8_000;

    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicInteger max = new AtomicInteger();

    /** A clock that shows one moment: no token comes back by itself. */
    private record StandingClock(ExecutorService thread) implements Scheduler {

        @Override
        public long now(TimeUnit unit) {
            return 0;
        }

        @Override
        public Disposable schedule(Runnable task) {
            thread.execute(task);
            return Disposables.single();
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return delay == 0 ? schedule(task) : Disposables.single();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("no workers");
        }
    }

    private static Request request(OperationType type, int entities, long bytes) {
        return Bench.request(type).costing(new RequestCost("p", entities, bytes));
    }

    @ParameterizedTest(name = "account {0}, partition {1}, content {2}")
    @CsvSource({"1, 4, 4", "4, 1, 4", "4, 4, 1", "1, 1, 1"})
    @Timeout(60)
    @DisplayName("PERMIT-4: whatever races, no token of a target is lost, and none is given back twice")
    void balances(int account, int partition, int content) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        try {
            Scheduler clock = new StandingClock(thread);
            RefillClock refill = RefillClock.steady(clock);
            RateLimit whole = RateLimit.perSecond(account, account, refill);
            ServiceRateLimiter limiter = ServiceRateLimiter.of(
                    ScalabilityTargets.everywhere().toBuilder()
                            .blobRequests(partition)
                            .blobBytes(content)
                            .build(),
                    Service.BLOB,
                    whole,
                    refill);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(callers.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        useOnce(limiter, clock);
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get(50, TimeUnit.SECONDS);
            }
            int least = Math.min(account, Math.min(partition, content));
            assertThat(max.get()).isBetween(1, least);
            AtomicInteger passed = new AtomicInteger();
            limiter.charge(request(OperationType.WRITE, Math.min(account, partition), content))
                    .acquire(Deadline.in(Duration.ZERO, clock))
                    .subscribe(none -> {}, late -> {}, passed::incrementAndGet);
            assertThat(passed).as("idle implies admits").hasValue(1);
            assertThat(whole.available()).isEqualTo(account - Math.min(account, partition));
        } finally {
            callers.shutdownNow();
            thread.shutdownNow();
        }
    }

    private void useOnce(ServiceRateLimiter limiter, Scheduler clock) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Charge charge = limiter.charge(request(random.nextBoolean() ? OperationType.READ : OperationType.WRITE, 1, 1));
        CountDownLatch granted = new CountDownLatch(1);
        Disposable wait =
                charge.acquire(Deadline.in(Duration.ofHours(1), clock)).subscribe(none -> {}, null, granted::countDown);
        if (random.nextInt(3) > 0) {
            spin(random.nextInt(300));
            wait.dispose();
            charge.giveBack();
            return;
        }
        await(granted);
        max.accumulateAndGet(holders.incrementAndGet(), Math::max);
        spin(random.nextInt(300));
        holders.decrementAndGet();
        charge.giveBack();
        charge.giveBack();
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch granted) {
        try {
            assertThat(granted.await(40, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }
}

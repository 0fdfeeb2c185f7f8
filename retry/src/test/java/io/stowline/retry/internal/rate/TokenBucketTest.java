package io.stowline.retry.internal.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ManualTimer;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Claims and their line where many threads meet. */
class TokenBucketTest {

    private static final int THREADS = 4;
    private static final int ROUNDS = 5_000;
    private static final long DAY = Duration.ofDays(1).toNanos();

    @Test
    @Timeout(30)
    @DisplayName("RETRY-6: tokens are conserved whatever races: granted, withdrawn and given back from many threads")
    void tokensAreConserved() throws Exception {
        Scheduler clock = Schedulers.newSingle("tokens");
        // A token is a day: none comes by time, and three are a little more than there are.
        TokenBucket line = new TokenBucket(3 * DAY, clock);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                running.add(threads.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        useOnce(line, holders, max);
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get(25, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
            clock.dispose();
        }

        assertThat(line.waiting()).isZero();
        assertThat(line.level()).isEqualTo(3 * DAY);
        assertThat(max.get()).isBetween(1, 3);
    }

    private static void useOnce(TokenBucket line, AtomicInteger holders, AtomicInteger max) {
        TokenRequest claim = new TokenRequest(() -> line, DAY);
        CountDownLatch granted = new CountDownLatch(1);
        claim.enter(Long.MAX_VALUE, () -> {
            max.accumulateAndGet(holders.incrementAndGet(), Math::max);
            granted.countDown();
        });
        if (ThreadLocalRandom.current().nextInt(3) == 0 && claim.withdraw()) {
            return;
        }
        awaitGrant(granted);
        holders.decrementAndGet();
        claim.giveBack();
        claim.giveBack();
    }

    private static void awaitGrant(CountDownLatch granted) {
        try {
            assertThat(granted.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError(stopped);
        }
    }

    @Test
    void aClaimWithdrawnBeforeItJoinsIsNotInTheLine() {
        ManualTimer clock = new ManualTimer();
        TokenBucket line = new TokenBucket(10, clock);
        TokenRequest claim = new TokenRequest(() -> line, 5);
        claim.withdraw();

        claim.enter(Long.MAX_VALUE, () -> {
            throw new AssertionError("granted after it was withdrawn");
        });
        assertThat(line.level()).isEqualTo(10);

        assertThat(line.tryTake(10)).isTrue();
        TokenRequest second = new TokenRequest(() -> line, 5);
        second.withdraw();
        second.enter(Long.MAX_VALUE, () -> {
            throw new AssertionError("granted after it was withdrawn");
        });
        assertThat(line.waiting()).isZero();
        assertThat(clock.running()).isZero();
    }

    @Test
    void aRetiredLineSendsEverybodyToTheNextOne() {
        ManualTimer clock = new ManualTimer();
        TokenBucket old = new TokenBucket(10, clock);
        List<TokenBucket> lines = new ArrayList<>(List.of(old, new TokenBucket(10, clock)));
        TokenRequest claim = new TokenRequest(() -> lines.remove(0), 4);
        TokenBucket next = lines.get(0);

        assertThat(old.retireWhenIdle()).isTrue();
        assertThat(old.tryTake(1)).isFalse();
        assertThat(claim.enter(0, () -> {})).isZero();

        assertThat(claim.isReserved()).isTrue();
        assertThat(next.level()).isEqualTo(6);
        claim.giveBack();
        assertThat(next.level()).isEqualTo(10);
    }

    @Test
    void aLineInUseDoesNotRetire() {
        ManualTimer clock = new ManualTimer();
        TokenBucket line = new TokenBucket(10, clock);
        line.tryTake(1);

        assertThat(line.retireWhenIdle()).isFalse();
        clock.stall(Duration.ofNanos(1));
        assertThat(line.retireWhenIdle()).isTrue();
    }

    @Test
    void anotherHeadHasItsOwnTimer() {
        ManualTimer clock = new ManualTimer();
        TokenBucket line = new TokenBucket(10, clock);
        line.tryTake(10);
        List<String> granted = new ArrayList<>();
        TokenRequest first = waiting(line, 10, () -> granted.add("first"));
        waiting(line, 4, () -> granted.add("second"));

        first.withdraw();
        assertThat(clock.running()).isEqualTo(1);
        clock.advance(Duration.ofNanos(3));
        assertThat(granted).isEmpty();
        clock.advance(Duration.ofNanos(1));
        assertThat(granted).containsExactly("second");
    }

    @Test
    void aTimerThatWasReplacedWhileItFiredGrantsNothing() {
        LateClock clock = new LateClock();
        TokenBucket line = new TokenBucket(10, clock);
        line.tryTake(10);
        List<String> granted = new ArrayList<>();
        TokenRequest first = waiting(line, 10, () -> granted.add("first"));
        waiting(line, 4, () -> granted.add("second"));
        clock.now = 10;

        first.withdraw();
        clock.tasks.get(0).run();
        assertThat(granted).as("its thread may be interrupted").isEmpty();
        clock.tasks.get(1).run();
        assertThat(granted).containsExactly("second");
    }

    @Test
    void aReceiverThatThrowsDoesNotStopTheLine() {
        ManualTimer clock = new ManualTimer();
        TokenBucket line = new TokenBucket(10, clock);
        line.tryTake(10);
        List<String> granted = new ArrayList<>();
        waiting(line, 1, () -> {
            throw new IllegalStateException("in the receiver");
        });
        waiting(line, 1, () -> granted.add("second"));
        waiting(line, 1, () -> granted.add("third"));

        clock.stall(Duration.ofNanos(2));
        clock.advance(Duration.ofNanos(1));

        assertThat(granted).containsExactly("second", "third");
    }

    private static TokenRequest waiting(TokenBucket line, long cost, Runnable granted) {
        TokenRequest claim = new TokenRequest(() -> line, cost);
        assertThat(claim.enter(Long.MAX_VALUE, granted)).isPositive();
        return claim;
    }

    /** A clock whose tasks run when the test says so, those that were disposed of too. */
    private static final class LateClock implements Scheduler {

        private final List<Runnable> tasks = new ArrayList<>();
        private long now;

        @Override
        public long now(TimeUnit unit) {
            return unit.convert(now, TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task) {
            tasks.add(task);
            return Disposables.single();
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return schedule(task);
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("no workers");
        }
    }

    @Test
    @DisplayName("RETRY-6: a waiter that has left is not counted for those who come after it")
    void aWaiterThatHasLeftIsNotCounted() {
        ManualTimer clock = new ManualTimer();
        TokenBucket line = new TokenBucket(10, clock);
        assertThat(line.tryTake(10)).isTrue();
        TokenRequest first = new TokenRequest(() -> line, 4);
        TokenRequest second = new TokenRequest(() -> line, 5);
        assertThat(first.enter(100, () -> {})).isEqualTo(4);
        assertThat(second.enter(100, () -> {})).isEqualTo(9);
        assertThat(second.withdraw()).isTrue();
        assertThat(first.withdraw()).isTrue();

        assertThat(new TokenRequest(() -> line, 4).enter(4, () -> {})).isEqualTo(4);
        assertThat(line.waiting()).as("it fits its patience").isEqualTo(1);
    }
}

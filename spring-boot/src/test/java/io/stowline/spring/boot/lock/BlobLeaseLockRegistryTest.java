package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaseLostException;
import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ThrottledException;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.lock.LockStorage.LockProcess;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** The registry of locks over an account in memory, with the semantics that the registries of Spring Integration have. */
@Timeout(60)
class BlobLeaseLockRegistryTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final LockStorage storage = new LockStorage();
    private final LockProcess one = storage.process();
    private final LockProcess two = storage.process();

    @AfterEach
    void close() {
        storage.close();
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(end);
            ShortPause.park();
        }
    }

    /** A call in another thread. */
    private static final class Caller<T> {

        private final FutureTask<T> task;
        private final Thread thread;

        Caller(Callable<T> call) {
            task = new FutureTask<>(call);
            thread = new Thread(task, "caller");
            thread.start();
        }

        boolean waits() {
            return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
        }

        T result() throws Exception {
            return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
        }

        Throwable failure() {
            return catchThrowableOfType(ExecutionException.class, this::result).getCause();
        }
    }

    private List<String> requestsOf(Runnable calls) {
        int before = storage.memory.requests().size();
        calls.run();
        List<String> all = storage.memory.requests();
        return all.subList(before, all.size()).stream()
                .map(request -> request.replaceFirst("http\\S+(/locks\\S*)", "$1"))
                .toList();
    }

    @Test
    @DisplayName("an acquisition and its release are five requests, seven with a new blob, and each acquisition has a"
            + " larger number")
    void locksAndUnlocks() {
        FencedLock lock = one.lock("report");
        List<Long> numbers = new ArrayList<>();
        Runnable once = () -> {
            lock.lock();
            numbers.add(lock.term().number());
            lock.unlock();
        };

        assertThat(requestsOf(once)).hasSize(7);
        for (int i = 0; i < 5; i++) {
            assertThat(requestsOf(once)).hasSize(5);
        }
        assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(one.container.info("report").metadata()).containsEntry("stowlineterm", "6");
    }

    @Test
    @DisplayName("a lock is one object while it is used, reentrant for its thread without a request, and apart from the"
            + " lock of another key")
    void isReentrant() throws Exception {
        FencedLock lock = one.lock("report");
        lock.lock();
        assertThat(requestsOf(() -> {
                    assertThat(one.lock("report")).isSameAs(lock);
                    lock.lock();
                    assertThat(lock.tryLock()).isTrue();
                }))
                .isEmpty();
        lock.lockInterruptibly();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 4; i++) {
            lock.unlock();
        }
        one.lock("other").lockInterruptibly();
        assertThat(two.lock("report").tryLock()).as("still held").isFalse();
        lock.unlock();
        assertThat(two.lock("report").tryLock()).isTrue();
        assertThat(two.lock("other").tryLock()).isFalse();
    }

    @Test
    @DisplayName("another thread does not get the lock in its time, and cannot unlock it")
    void belongsToOneThread() throws Exception {
        FencedLock lock = one.lock("report");
        lock.lock();

        assertThat(new Caller<>(() -> lock.tryLock(50, TimeUnit.MILLISECONDS)).result())
                .isFalse();
        assertThat(new Caller<>(lock::tryLock).result()).isFalse();
        for (Callable<Object> call : List.<Callable<Object>>of(
                () -> {
                    lock.unlock();
                    return "";
                },
                lock::term,
                () -> {
                    one.registry.renewLock("report");
                    return "";
                })) {
            assertThat(new Caller<>(call).failure())
                    .isInstanceOf(IllegalMonitorStateException.class)
                    .hasMessageContaining("does not own the lock 'report'");
        }
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    @DisplayName("threads of one process take turns in their order, and those of another get the lock after an unlock")
    void takesTurns() throws Exception {
        FencedLock lock = one.lock("report");
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger counter = new AtomicInteger();
        lock.lock();
        List<Caller<Long>> callers = new ArrayList<>();
        for (LockProcess process : List.of(one, one, one, two)) {
            Caller<Long> caller = new Caller<>(() -> {
                FencedLock own = process.lock("report");
                own.lockInterruptibly();
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                counter.incrementAndGet();
                inside.decrementAndGet();
                long number = own.term().number();
                own.unlock();
                return number;
            });
            until(caller::waits);
            callers.add(caller);
        }
        assertThat(counter).hasValue(0);
        lock.unlock();
        List<Long> numbers = new ArrayList<>();
        for (Caller<Long> caller : callers) {
            numbers.add(caller.result());
        }

        assertThat(counter).hasValue(4);
        assertThat(numbers).doesNotHaveDuplicates().allMatch(number -> number > 1);
        assertThat(numbers.subList(0, 3)).isSorted();
    }

    @Test
    @DisplayName(
            "a timed try ends in its time while another process has the lock, and one without a time is one request")
    void triesInTime() throws Exception {
        two.lock("report").lock();
        FencedLock lock = one.lock("report");
        long begin = System.nanoTime();
        assertThat(lock.tryLock(250, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(250), LONG);
        assertThat(requestsOf(() -> assertThat(lock.tryLock()).isFalse())).hasSize(1);
        two.lock("report").unlock();

        assertThat(lock.tryLock(Duration.ofSeconds(20), Duration.ofSeconds(20))).isTrue();
    }

    @Test
    @DisplayName(
            "a timed try ends in its time while the service is silent, and the lease that it may get is given back")
    void leavesASilentService() throws Exception {
        one.lock("report").lock();
        one.lock("report").unlock();
        one.holdResponses();
        int leases = one.leases().size();

        do {
            assertThat(one.lock("report").tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
            // On a busy machine a try may end before its request.
        } while (one.leases().size() == leases);
        assertThat(two.lock("report").tryLock())
                .as("granted, though none waits for it")
                .isFalse();
        one.respond();

        assertThat(two.lock("report").tryLock(20, TimeUnit.SECONDS)).isTrue();
        two.lock("report").unlock();
        assertThat(one.lock("report").tryLock(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("a try that is left renews no lease: it gives the lease back while the service is still silent")
    void leavesASilentServiceAfterTheLease() throws Exception {
        one.lock("report").lock();
        one.lock("report").unlock();
        one.holdReads();

        assertThat(one.lock("report").tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(two.lock("report").tryLock(LONG.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        two.lock("report").unlock();
        one.respond();
        assertThat(one.lock("report").tryLock(LONG.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    @DisplayName("one try ends with the time of a lease if the service is silent")
    void triesOnceInTheTimeOfALease() throws Exception {
        BlobLeaseLock lock =
                new BlobLeaseLock("report", Duration.ofMillis(200), Duration.ofMillis(100), ttl -> one.container
                        .reactive()
                        .leader("report", LONG));
        one.holdResponses();

        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
        assertThat(lock.tryLock()).isFalse();
    }

    @Test
    @DisplayName("an interrupt ends lockInterruptibly and tryLock, and leaves the lock free for the next thread")
    void isInterruptible() throws Exception {
        two.lock("report").lock();
        FencedLock lock = one.lock("report");
        for (Callable<Object> call : List.<Callable<Object>>of(
                () -> {
                    lock.lockInterruptibly();
                    return "";
                },
                () -> lock.tryLock(1, TimeUnit.MINUTES))) {
            Caller<Object> caller = new Caller<>(call);
            until(caller::waits);
            caller.thread.interrupt();
            assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        }
        two.lock("report").unlock();

        assertThat(new Caller<>(() -> lock.tryLock(20, TimeUnit.SECONDS)).result())
                .isTrue();
    }

    @Test
    @DisplayName("lock() waits through an interrupt and keeps it for its caller; tryLock() is false")
    void keepsAnInterrupt() throws Exception {
        two.lock("report").lock();
        FencedLock lock = one.lock("report");
        Caller<Boolean> caller = new Caller<>(() -> {
            lock.lock();
            return Thread.currentThread().isInterrupted();
        });
        until(caller::waits);
        caller.thread.interrupt();
        Caller<Boolean> other = new Caller<>(() -> {
            Thread.currentThread().interrupt();
            return two.lock("other").tryLock() || !Thread.currentThread().isInterrupted();
        });
        assertThat(other.result()).isFalse();
        two.lock("report").unlock();

        assertThat(caller.result()).isTrue();
    }

    @Test
    @DisplayName(
            "LEASE-2: the unlock of a lock that another process has got shows it, and a fence refuses what the former"
                    + " holder writes")
    void showsALostLock() {
        FencedLock lock = one.lock("report");
        lock.lock();
        FencedBlob former = lock.term().fence(one.container, "state");
        former.upload(new byte[1]);
        storage.pass(Duration.ofSeconds(31));
        two.lock("report").lock();
        assertThat(two.lock("report").term().number()).isEqualTo(2);
        former.upload(new byte[2]);
        two.lock("report").term().fence(two.container, "state").upload(new byte[3]);

        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> former.upload(new byte[4]));
        assertThat(one.container.download("state")).hasSize(3);
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'report' was lost")
                .withCauseInstanceOf(LeaseLostException.class);
        assertThat(lock.tryLock()).as("the other one has it").isFalse();
        two.lock("report").unlock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.term().number()).isEqualTo(3);
    }

    @Test
    @DisplayName("a lock that is lost for certain is no more renewed or acquired by its thread, until it is unlocked")
    void showsALossWhileHeld() {
        FencedLock lock = one.lock("report");
        lock.lock();
        one.registry.renewLock("report");
        one.registry.renewLock("report", Duration.ofSeconds(2));
        one.client.close();

        assertThat(lock.term().isCurrent()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> one.registry.renewLock("report"))
                .withMessageContaining("'report' is lost");
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::tryLock);
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(two.lock("report").tryLock()).as("given back").isTrue();
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(lock::lock)
                .withCauseInstanceOf(ClosedException.class);
    }

    @Test
    @DisplayName(
            "a missing container is an error at once, a failing service for tryLock() only; each leaves the lock free"
                    + " for the next call")
    void fails() throws Exception {
        BlobLeaseLockRegistry elsewhere = new BlobLeaseLockRegistry(one.client.container("missing"));
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(CannotAcquireLockException.class)
                    .isThrownBy(() -> elsewhere.obtain("report").lock())
                    .withMessageContaining("'report'")
                    .withCauseInstanceOf(NotFoundException.class);
        }
        FencedLock lock = one.lock("report");
        refuse(5);
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(lock::tryLock)
                .withCauseInstanceOf(ThrottledException.class);
        refuse(5);
        lock.lock();
        lock.unlock();
        refuse(5);
        assertThat(lock.tryLock(20, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
    }

    private void refuse(int requests) {
        for (int i = 0; i < requests; i++) {
            storage.memory.refuseNext("PUT", "/locks/report", 503, "ServerBusy");
        }
    }

    @Test
    @DisplayName("LEASE-3: lost responses at each request change nothing")
    void survivesLostResponses() {
        FencedLock lock = one.lock("report");
        lock.lock();
        lock.unlock();
        for (int lost = 1; lost < 8; lost++) {
            lose(lost);
            lock.lock();
            assertThat(two.lock("report").tryLock()).isFalse();
            lose(2);
            lock.unlock();
            assertThat(two.lock("report").tryLock()).isTrue();
            two.lock("report").unlock();
        }
    }

    private void lose(int responses) {
        for (int i = 0; i < responses; i++) {
            storage.memory.loseNextResponse("PUT", "/locks/report");
        }
    }

    @Test
    @DisplayName(
            "LEASE-3: an acquisition whose outcome stays unknown is no acquisition; the lock is free once the lease"
                    + " has passed")
    void isNotAcquiredByAnUnknownOutcome() {
        BlobLeaseLockRegistry hasty = new BlobLeaseLockRegistry(
                one.container.withRetry(retry -> retry.retries(0).deadline(Duration.ofMillis(300))));
        one.lock("report").lock();
        one.lock("report").unlock();
        one.loseResponses();
        assertThatExceptionOfType(CannotAcquireLockException.class)
                .isThrownBy(() -> hasty.obtain("report").tryLock())
                .withCauseInstanceOf(OutcomeUnknownException.class);
        one.respond();
        FencedLock lock = two.lock("report");
        assertThat(lock.tryLock()).as("leased to none").isFalse();
        storage.pass(Duration.ofSeconds(31));

        assertThat(lock.tryLock()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"PT1S, 15", "PT15S, 15", "PT42S, 42", "PT1H, 60"})
    @DisplayName("a time to live is the nearest lease that the service has")
    void takesTheNearestLease(Duration ttl, String seconds) throws Exception {
        FencedLock lock = one.lock("report");
        lock.lock();
        lock.unlock();
        lock.lock(ttl);
        lock.unlock();
        assertThat(lock.tryLock(Duration.ZERO, ttl)).isTrue();
        lock.unlock();

        assertThat(one.leases()).endsWith("30", seconds, seconds);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.lock(Duration.ZERO))
                .withMessageContaining("ttl");
        assertThat(lock.tryLock()).as("a refused argument leaves no trace").isTrue();
    }

    @Test
    @DisplayName("locks that are not used are forgotten, those that are held or waited for are not")
    void forgetsUnusedLocks() {
        FencedLock unused = one.lock("unused");
        FencedLock held = one.lock("held");
        held.lock();
        one.registry.expireUnusedOlderThan(60_000);
        assertThat(one.lock("unused")).isSameAs(unused);
        one.registry.expireUnusedOlderThan(0);

        assertThat(one.lock("held")).isSameAs(held);
        assertThat(unused.tryLock()).as("a forgotten lock excludes others, too").isTrue();
        assertThat(two.lock("unused").tryLock()).isFalse();
        assertThat(one.lock("unused").tryLock()).as("reentrant by its key").isTrue();
        one.registry.renewLock("unused");
        one.registry.expireUnusedOlderThan(0);
        assertThat(one.lock("unused")).isSameAs(unused);
    }

    @Test
    void aForgottenLockIsCollected() {
        WeakReference<FencedLock> unused = new WeakReference<>(one.lock("unused"));
        one.registry.expireUnusedOlderThan(0);

        until(() -> {
            System.gc();
            return unused.get() == null;
        });
        assertThat(one.lock("unused").tryLock()).isTrue();
    }

    @Test
    void locksTheKeysOfManyTexts() {
        for (String key : List.of("", "a/b", "a_2Fb", "orders: Übersicht", "x".repeat(1_000))) {
            assertThat(one.lock(key).tryLock()).as(key).isTrue();
            assertThat(two.lock(key).tryLock()).as(key).isFalse();
        }
    }

    @Test
    void executesUnderTheLock() throws Exception {
        assertThat(one.registry.<Boolean, RuntimeException>executeLocked(
                        "report", () -> two.lock("report").tryLock()))
                .isFalse();
        assertThat(two.lock("report").tryLock()).isTrue();
    }

    @Test
    @DisplayName("the leader of Spring Integration over this registry learns of its loss, and another one follows")
    void electsLeadersOfSpringIntegration() {
        LockRegistryLeaderInitiator first = leader(one);
        LockRegistryLeaderInitiator second = leader(two);
        try {
            first.start();
            until(() -> first.getContext().isLeader());
            second.start();
            until(() -> storage.memory.requests().stream()
                            .filter(request -> request.contains("/locks/role?comp=lease"))
                            .count()
                    > 5);
            assertThat(second.getContext().isLeader()).isFalse();
            one.client.close();
            until(() -> second.getContext().isLeader());
            until(() -> !first.getContext().isLeader());
        } finally {
            first.stop();
            second.stop();
        }
    }

    private static LockRegistryLeaderInitiator leader(LockProcess process) {
        LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(process.registry, new DefaultCandidate("id", "role"));
        initiator.setHeartBeatMillis(200);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    @Test
    void refusesWhatItDoesNotSupport() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> one.lock("report").newCondition());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.registry.obtain(7))
                .withMessageContaining("java.lang.Integer");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new BlobLeaseLockRegistry(one.container, Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .withMessageContaining("lease is 15000 ms to 60000 ms, not 5000 ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BlobLeaseLockRegistry(one.container, Duration.ofSeconds(15), Duration.ZERO))
                .withMessageContaining("pollEvery");
        assertThat(one.registry).hasToString("BlobLeaseLockRegistry[locks]");
        assertThat(one.lock("a")).hasToString("BlobLeaseLock[a]");
    }

    @Test
    @DisplayName("many threads of two processes never are inside at once")
    void excludes() {
        AtomicInteger inside = new AtomicInteger();
        int[] counter = {0};
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int thread = 0; thread < 6; thread++) {
            LockProcess process = thread % 2 == 0 ? one : two;
            all.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 8; i++) {
                            FencedLock lock = process.lock("report");
                            lock.lock();
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            counter[0]++;
                            inside.decrementAndGet();
                            lock.unlock();
                        }
                    },
                    task -> new Thread(task, "worker").start()));
        }
        all.forEach(CompletableFuture::join);

        assertThat(counter[0]).isEqualTo(48);
    }
}

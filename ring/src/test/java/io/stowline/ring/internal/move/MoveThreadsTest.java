package io.stowline.ring.internal.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.StorageInterruptedException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class MoveThreadsTest {

    private static final List<String> KEYS =
            IntStream.range(0, 40).mapToObj(i -> "p" + i).toList();

    @Test
    @DisplayName("RING-7: as many partitions as are set are visited at a time, and the caller gets each result")
    void asManyPartitionsAsAreSetAreVisitedAtATime() {
        CyclicBarrier together = new CyclicBarrier(4);
        Set<String> done = new TreeSet<>();
        Thread caller = Thread.currentThread();
        try (MoveThreads threads = new MoveThreads(4)) {
            threads.visit(
                    KEYS,
                    key -> {
                        try {
                            together.await(20, TimeUnit.SECONDS);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        return key.endsWith("1");
                    },
                    (key, moved) -> {
                        assertThat(Thread.currentThread()).isSameAs(caller);
                        assertThat(moved).isEqualTo(key.endsWith("1"));
                        done.add(key);
                    });
        }
        assertThat(done).containsExactlyInAnyOrderElementsOf(KEYS);
    }

    @Test
    @DisplayName("RING-7: after a failure no visit begins, and none is running when the caller gets it")
    void afterAFailureNoVisitBegins() {
        Set<String> begun = new ConcurrentSkipListSet<>();
        Set<String> running = new ConcurrentSkipListSet<>();
        CountDownLatch failed = new CountDownLatch(1);
        try (MoveThreads threads = new MoveThreads(2)) {
            assertThatThrownBy(() -> threads.visit(
                            KEYS,
                            key -> {
                                begun.add(key);
                                running.add(key);
                                try {
                                    if (key.equals("p0")) {
                                        failed.countDown();
                                        throw new IllegalArgumentException(key);
                                    }
                                    failed.await();
                                    return new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS);
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                } finally {
                                    running.remove(key);
                                }
                            },
                            (key, moved) -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("p0");
            assertThat(running).isEmpty();
            assertThat(begun.size()).isLessThan(KEYS.size());

            // and the threads visit others
            Set<String> done = new TreeSet<>();
            threads.visit(KEYS, key -> true, (key, moved) -> done.add(key));
            assertThat(done).hasSize(KEYS.size());
        }
    }

    @Test
    @DisplayName("RING-7: an interrupt of the caller ends the visits that are running")
    void anInterruptOfTheCallerEndsTheVisits() {
        Thread caller = Thread.currentThread();
        AtomicBoolean ended = new AtomicBoolean();
        try (MoveThreads threads = new MoveThreads(2)) {
            assertThatThrownBy(() -> threads.visit(
                            List.of("p0"),
                            key -> {
                                caller.interrupt();
                                try {
                                    new CountDownLatch(1).await();
                                    return true;
                                } catch (InterruptedException e) {
                                    ended.set(true);
                                    throw new IllegalStateException(e);
                                }
                            },
                            (key, moved) -> {}))
                    .isInstanceOf(StorageInterruptedException.class);
            assertThat(ended).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}

package io.stowline.blob.internal.base;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.internal.base.BlockingTask.TaskGroup;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The thread of a task, and the traces of its end, its cancellation and its errors. */
@Timeout(60)
class BlockingTaskTest {

    /** The number of threads. */
    private static final int ALL = 256;

    private final TaskGroup group = new TaskGroup();

    private static Mono<Thread> where() {
        return BlockingTask.call(Thread::currentThread);
    }

    private <T> Mono<T> inGroup(Mono<T> work) {
        return work.contextWrite(group::in);
    }

    @Test
    @DisplayName("a task that begins with the end of another one of its group runs on its thread")
    void takesOver() {
        List<Thread> threads = new ArrayList<>();
        inGroup(where().doOnNext(threads::add)
                        .flatMap(one -> where())
                        .doOnNext(threads::add)
                        .flatMap(two -> where())
                        .doOnNext(threads::add))
                .block();

        assertThat(threads).hasSize(3).containsOnly(threads.get(0));
    }

    @Test
    @DisplayName("an end that waits for a task of another group, or of none, does not wait for itself")
    void otherGroups() {
        inGroup(where().doOnNext(one -> {
                    assertThat(where().toFuture().join()).isNotSameAs(one);
                    assertThat(where().contextWrite(new TaskGroup()::in)
                                    .toFuture()
                                    .join())
                            .isNotSameAs(one);
                }))
                .block();
        where().doOnNext(one -> assertThat(where().toFuture().join()).isNotSameAs(one))
                .block();
    }

    @Test
    @DisplayName("of several tasks that begin with one end each runs, although the first one waits for the others")
    void several() {
        CountDownLatch others = new CountDownLatch(2);
        Mono<Boolean> waits = BlockingTask.call(() -> {
            await(others);
            return true;
        });
        Mono<Boolean> counts = BlockingTask.call(() -> {
            others.countDown();
            return true;
        });

        inGroup(where().flatMap(one -> Mono.zip(waits, counts, counts))).block();

        assertThat(others.getCount()).isZero();
    }

    @Test
    @DisplayName("a task that is cancelled before its thread comes to it does not run, and its thread goes on")
    void cancelledBefore() {
        AtomicBoolean ran = new AtomicBoolean();
        Mono<Boolean> never = BlockingTask.call(() -> {
            ran.set(true);
            return true;
        });

        Thread one = inGroup(
                        where().doOnNext(thread -> inGroup(never).subscribe().dispose()))
                .block();

        assertThat(inGroup(where()).block()).isNotNull();
        assertThat(one).isNotNull();
        assertThat(ran).isFalse();
    }

    @Test
    @DisplayName("a cancellation interrupts the task that runs, and not the next one on its thread")
    void interrupts() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CompletableFuture<Thread> interrupted = new CompletableFuture<>();
        Disposable task = BlockingTask.call(() -> {
                    begun.countDown();
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.complete(Thread.currentThread());
                        Thread.currentThread().interrupt();
                    }
                    return true;
                })
                .subscribe();
        await(begun);

        task.dispose();

        assertThat(interrupted.join()).isNotNull();
        for (int i = 0; i < 20; i++) {
            assertThat(BlockingTask.call(() -> Thread.currentThread().isInterrupted())
                            .block())
                    .isFalse();
        }
    }

    /** A channel on a disk that stands still: an interrupt of its thread closes it, which waits. */
    private static final class StandingChannel extends AbstractInterruptibleChannel {

        private final CountDownLatch used = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);

        private boolean use() throws AsynchronousCloseException {
            begin();
            try {
                used.countDown();
                boolean there = false;
                while (!there) {
                    try {
                        goesOn.await();
                        there = true;
                    } catch (InterruptedException e) {
                        // As a call of the system that no signal ends.
                    }
                }
                return true;
            } finally {
                end(true);
            }
        }

        @Override
        protected void implCloseChannel() {
            await(goesOn);
        }
    }

    @Test
    @DisplayName("TRANSFER-7: the caller that cancels a task waits for no disk that stands still")
    void standingDisk() throws Exception {
        try (StandingChannel channel = new StandingChannel()) {
            Disposable task = BlockingTask.call(channel::use).subscribe();
            await(channel.used);

            task.dispose();

            assertThat(channel.goesOn.getCount()).isOne();
            assertThat(where().block()).isNotNull();
            channel.goesOn.countDown();
        }
    }

    @Test
    @DisplayName("TRANSFER-7: tasks that wait on all threads end when they are cancelled, and the next one runs")
    void allThreadsTaken() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(ALL);
        CountDownLatch interrupted = new CountDownLatch(ALL);
        Mono<Boolean> waits = BlockingTask.call(() -> {
            begun.countDown();
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
            return true;
        });
        List<Disposable> tasks =
                IntStream.range(0, ALL).mapToObj(i -> waits.subscribe()).toList();
        await(begun);

        tasks.forEach(Disposable::dispose);

        await(interrupted);
        assertThat(where().block()).isNotNull();
    }

    @Test
    @DisplayName("what its receiver throws keeps no task of its thread from its run")
    void receiverThrows() {
        CompletableFuture<Thread> second = new CompletableFuture<>();
        Mono<Thread> first = inGroup(where());
        first.subscribe(
                one -> {
                    inGroup(where()).subscribe(second::complete);
                    throw new IllegalStateException("mine");
                },
                error -> {
                    throw new StackOverflowError("mine, too");
                });

        assertThat(second.join()).isNotNull();
    }

    @Test
    @DisplayName("its errors arrive as they are; one that Reactor would not signal is a cause")
    void errors() {
        AtomicReference<Throwable> end = new AtomicReference<>();
        IOException checked = new IOException("disk");
        BlockingTask.call(() -> {
                    throw checked;
                })
                .onErrorResume(error -> {
                    end.set(error);
                    return Mono.empty();
                })
                .block();
        assertThat(end).hasValue(checked);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> BlockingTask.call(() -> {
                            throw new NoClassDefFoundError("gone");
                        })
                        .block())
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    @DisplayName("work without a result ends empty")
    void empty() {
        assertThat(BlockingTask.call(() -> null).blockOptional()).isEmpty();
    }
}

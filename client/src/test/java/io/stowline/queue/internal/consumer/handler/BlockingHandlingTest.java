package io.stowline.queue.internal.consumer.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BlockingHandlingTest {

    private final ExecutorService one = Executors.newSingleThreadExecutor();

    private static ObservedCode unobserved(List<LeaseKeeper> messages) {
        return OperationObserver.none().code("handle", () -> "orders of " + messages.size(), List::of);
    }

    /** The reports of a handling. */
    private static final class Recorded implements MessageHandling.Progress {
        private final CompletableFuture<String> end = new CompletableFuture<>();
        private boolean began;

        @Override
        public void began() {
            began = true;
        }

        @Override
        public void ended(@Nullable Throwable error) {
            end.complete(error == null ? "returned" : error.getClass().getSimpleName());
        }

        @Override
        public void refused(Throwable error) {
            end.complete("refused");
        }

        String end() throws Exception {
            return end.get(30, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void endThreads() {
        one.shutdownNow();
    }

    @Test
    void reportsTheEnd() throws Exception {
        Recorded good = new Recorded();
        Recorded bad = new Recorded();
        Recorded fatal = new Recorded();
        new BlockingHandling(one, BlockingHandlingTest::unobserved, messages -> {}).start(List.of(), good);
        new BlockingHandling(one, BlockingHandlingTest::unobserved, messages -> {
                    throw new java.io.IOException("handler");
                })
                .start(List.of(), bad);
        new BlockingHandling(one, BlockingHandlingTest::unobserved, messages -> {
                    throw new StackOverflowError();
                })
                .start(List.of(), fatal);

        assertThat(good.end()).isEqualTo("returned");
        assertThat(good.began).isTrue();
        assertThat(bad.end()).isEqualTo("IOException");
        assertThat(fatal.end()).isEqualTo("StackOverflowError");
    }

    @Test
    @DisplayName("QUEUE-2: cancelling interrupts the handler, and not the next task of its thread")
    void interrupts() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Recorded recorded = new Recorded();
        MessageHandling.HandlerCall call = new BlockingHandling(one, BlockingHandlingTest::unobserved, messages -> {
                    running.countDown();
                    never.await();
                })
                .start(List.of(), recorded);
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        call.cancel();
        assertThat(recorded.end()).isEqualTo("InterruptedException");
        call.cancel();

        assertThat(one.submit(() -> Thread.currentThread().isInterrupted()).get(30, TimeUnit.SECONDS))
                .isFalse();
    }

    @Test
    @DisplayName("QUEUE-2: a handler that is cancelled before it began does not run")
    void cancelledBeforeItBegan() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        Recorded recorded = new Recorded();
        MessageHandling.HandlerCall call = new BlockingHandling(
                        tasks::add, BlockingHandlingTest::unobserved, messages -> {
                            throw new AssertionError("it ran");
                        })
                .start(List.of(), recorded);
        call.cancel();
        tasks.get(0).run();

        assertThat(recorded.end()).isEqualTo(CancellationException.class.getSimpleName());
        assertThat(recorded.began).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void reportsARefusal() throws Exception {
        Recorded recorded = new Recorded();
        new BlockingHandling(
                        task -> {
                            throw new RejectedExecutionException("full");
                        },
                        BlockingHandlingTest::unobserved,
                        messages -> {})
                .start(List.of(), recorded);

        assertThat(recorded.end()).isEqualTo("refused");
        Recorded unstarted = new Recorded();
        new BlockingHandling(
                        task -> {
                            throw new OutOfMemoryError("unable to create native thread");
                        },
                        BlockingHandlingTest::unobserved,
                        messages -> {})
                .start(List.of(), unstarted);
        assertThat(unstarted.end()).isEqualTo("refused");
    }

    @Test
    @DisplayName(
            "QUEUE-5: an executor that runs handlers on its caller's thread is refused, before and while the consumer"
                    + " runs")
    void callerRuns() throws Exception {
        AtomicBoolean ran = new AtomicBoolean();
        Recorded recorded = new Recorded();
        new BlockingHandling(Runnable::run, BlockingHandlingTest::unobserved, messages -> ran.set(true))
                .start(List.of(), recorded);

        assertThat(recorded.end()).isEqualTo("refused");
        assertThat(recorded.began).isFalse();
        assertThat(ran).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockingHandling.checked(Runnable::run))
                .withMessageContaining("executor(..) needs other threads");
    }

    @Test
    @DisplayName("QUEUE-5: an executor whose thread takes the handler after its start runs it, also on that thread")
    void sameThreadLater() throws Exception {
        Recorded recorded = new Recorded();
        Deque<Runnable> tasks = new ArrayDeque<>();
        new BlockingHandling(tasks::add, BlockingHandlingTest::unobserved, messages -> {}).start(List.of(), recorded);
        tasks.remove().run();

        assertThat(recorded.end()).isEqualTo("returned");
        assertThat(BlockingHandling.checked(one)).isSameAs(one);
    }

    @Test
    @DisplayName("an executor that is shut down is no mistake of the builder: its consumer tries again")
    void shutDown() {
        one.shutdown();

        assertThat(BlockingHandling.checked(one)).isSameAs(one);
    }
}

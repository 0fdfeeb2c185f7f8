package io.stowline.queue.internal.consumer.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandlerThreadsTest {

    private final HandlerThreads threads = HandlerThreads.platform("acct");

    @AfterEach
    void shutDown() {
        threads.shutdown();
    }

    private static <T> T get(CompletableFuture<T> value) throws Exception {
        return value.get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("DESIGN: handlers run on daemon threads named after the account, virtual ones where there are any")
    void names() throws Exception {
        HandlerThreads standard = HandlerThreads.of("acct");
        for (HandlerThreads each : List.of(standard, threads)) {
            CompletableFuture<Thread> ran = new CompletableFuture<>();
            each.execute(() -> ran.complete(Thread.currentThread()));
            assertThat(get(ran).getName()).startsWith("stowline-acct-consumer-");
            assertThat(get(ran).isDaemon()).isTrue();
        }
        standard.shutdown();
        boolean virtual = Runtime.version().feature() >= 21;
        assertThat(HandlerThreads.virtual("x-") != null).isEqualTo(virtual);
    }

    @Test
    @DisplayName("The thread whose handler has ended runs the handler that this starts")
    void goesOn() throws Exception {
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        threads.execute(() -> {
            first.complete(Thread.currentThread());
            HandlerThreads.afterHandler(() -> threads.execute(() -> second.complete(Thread.currentThread())));
        });

        assertThat(get(second)).isSameAs(get(first));
    }

    @Test
    @DisplayName("QUEUE-4: of two handlers that one end starts none waits for the other")
    void startsTwo() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        CompletableFuture<Boolean> met = new CompletableFuture<>();
        Runnable meeting = () -> {
            both.countDown();
            try {
                met.complete(both.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                met.completeExceptionally(e);
            }
        };
        threads.execute(() -> HandlerThreads.afterHandler(() -> {
            threads.execute(meeting);
            threads.execute(meeting);
        }));

        assertThat(get(met)).isTrue();
    }

    @Test
    @DisplayName("QUEUE-4: a handler that waits for another one, which it has started, does not keep it from running")
    void startedByAHandler() throws Exception {
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Thread> waited = new CompletableFuture<>();
        threads.execute(() -> {
            threads.execute(() -> started.complete(Thread.currentThread()));
            waited.complete(started.join());
        });

        assertThat(get(waited)).isSameAs(get(started));
    }

    @Test
    @DisplayName("QUEUE-4: a handler inside a handler leaves nothing to its thread")
    void insideAHandler() throws Exception {
        CompletableFuture<Thread> started = new CompletableFuture<>();
        CompletableFuture<Thread> waited = new CompletableFuture<>();
        Queue<Runnable> tasks = new ArrayDeque<>();
        BlockingHandling inner = new BlockingHandling(tasks::add, HandlerThreadsTest::unobserved, messages -> {});
        BlockingHandling outer = new BlockingHandling(threads, HandlerThreadsTest::unobserved, messages -> {
            inner.start(messages, new End(() -> threads.execute(() -> started.complete(Thread.currentThread()))));
            tasks.remove().run();
            waited.complete(started.join());
        });
        outer.start(List.of(), new End(() -> {}));

        assertThat(get(waited)).isSameAs(get(started));
    }

    @Test
    @DisplayName("Neither an error nor an interrupt of a handler reaches the next one of its thread")
    void afterAnError() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        threads.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> uncaught.complete(error));
            Thread.currentThread().interrupt();
            HandlerThreads.afterHandler(() -> threads.execute(
                    () -> interrupted.complete(Thread.currentThread().isInterrupted())));
            throw new StackOverflowError("of a handler");
        });

        assertThat(get(interrupted)).isFalse();
        assertThat(get(uncaught)).hasMessage("of a handler");
    }

    @Test
    @DisplayName("A handler is refused, and not the one before it, if there is no thread for both")
    void refused() throws Exception {
        CompletableFuture<Void> first = new CompletableFuture<>();
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        threads.execute(() -> HandlerThreads.afterHandler(() -> {
            threads.execute(() -> first.complete(null));
            threads.shutdown();
            try {
                threads.execute(() -> refusal.complete(new AssertionError("it ran")));
            } catch (RejectedExecutionException e) {
                refusal.complete(e);
            }
        }));

        assertThat(get(refusal)).isInstanceOf(RejectedExecutionException.class);
        get(first);
        assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    private static ObservedCode unobserved(List<LeaseKeeper> messages) {
        return OperationObserver.none().code("handle", () -> "orders of " + messages.size(), List::of);
    }

    private record End(Runnable ended) implements MessageHandling.Progress {

        @Override
        public void began() {}

        @Override
        public void ended(@Nullable Throwable error) {
            ended.run();
        }

        @Override
        public void refused(Throwable error) {
            throw new AssertionError("refused", error);
        }
    }
}

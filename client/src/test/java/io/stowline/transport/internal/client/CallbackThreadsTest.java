package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallbackThreadsTest {

    private static final int MAX = 2;

    private final AtomicInteger starts = new AtomicInteger();
    private final ExecutorService pool =
            new ThreadPoolExecutor(MAX, MAX, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
                @Override
                protected void beforeExecute(Thread thread, Runnable task) {
                    starts.incrementAndGet();
                }
            };
    private final ConcurrentLinkedQueue<Runnable> refused = new ConcurrentLinkedQueue<>();
    private final CallbackThreads callbacks = new CallbackThreads(pool, MAX, refused::add);
    private final EventExecutor loop = new DefaultEventExecutor();

    @AfterEach
    void shutDown() {
        pool.shutdownNow();
        Future<?> ending = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        assertThat(ending.awaitUninterruptibly(30, TimeUnit.SECONDS)).isTrue();
    }

    private static <T> T get(CompletableFuture<T> value) throws Exception {
        return value.get(30, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("What an I/O thread reads at a time wakes each thread once, in its order")
    void oneWakeUpForMany() throws Exception {
        List<Integer> ran = new ArrayList<>();
        CompletableFuture<Void> last = new CompletableFuture<>();
        CountDownLatch first = new CountDownLatch(1);
        callbacks.execute(() -> awaited(first));
        CompletableFuture<Integer> ranWhileReading = new CompletableFuture<>();
        loop.execute(() -> {
            IntStream.range(0, 100).forEach(n -> callbacks.execute(() -> ran.add(n)));
            callbacks.execute(() -> last.complete(null));
            ranWhileReading.complete(ran.size());
        });

        assertThat(get(ranWhileReading)).isZero();
        get(last);
        first.countDown();
        assertThat(ran)
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
        assertThat(starts.get()).isEqualTo(MAX);
    }

    @Test
    @DisplayName("An interrupt that a callback leaves does not reach the next one on its thread")
    void noInterruptIsLeft() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        CompletableFuture<Void> waited = new CompletableFuture<>();
        callbacks.execute(() -> {
            awaited(other);
            waited.complete(null);
        });
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        loop.execute(() -> {
            callbacks.execute(() -> Thread.currentThread().interrupt());
            callbacks.execute(() -> interrupted.complete(Thread.currentThread().isInterrupted()));
        });

        assertThat(get(interrupted)).isFalse();
        other.countDown();
        get(waited);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("A callback that waits for another one of the same reading does not keep it")
    void oneWaitsForTheNext() throws Exception {
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> first = new CompletableFuture<>();
        loop.execute(() -> {
            callbacks.execute(() -> first.complete(second.join()));
            callbacks.execute(() -> second.complete("second"));
        });

        assertThat(get(first)).isEqualTo("second");
    }

    @Test
    @DisplayName("A callback that throws stops no other one")
    void afterAnError() throws Exception {
        CompletableFuture<String> next = new CompletableFuture<>();
        for (int n = 0; n < 2 * MAX; n++) {
            callbacks.execute(() -> {
                throw new StackOverflowError("of a callback");
            });
        }
        callbacks.execute(() -> next.complete("ran"));

        assertThat(get(next)).isEqualTo("ran");
    }

    @Test
    @DisplayName("What comes after the shutdown runs elsewhere, from an I/O thread that has ended, too")
    void afterTheShutdown() throws Exception {
        CompletableFuture<Void> handedOver = new CompletableFuture<>();
        CompletableFuture<Void> read = new CompletableFuture<>();
        loop.execute(() -> {
            callbacks.execute(() -> read.complete(null));
            callbacks.shutdown();
            loop.execute(() -> handedOver.complete(null));
        });
        get(handedOver);
        assertThat(refused).hasSize(1);
        refused.remove().run();
        assertThat(read).isCompleted();

        CompletableFuture<Void> late = new CompletableFuture<>();
        callbacks.execute(() -> late.complete(null));
        refused.remove().run();
        assertThat(late).isCompleted();
    }

    @Test
    @DisplayName("Every callback of many threads runs once, and the next one after a pause, too")
    void manyThreads() throws Exception {
        int threads = 4;
        int each = 5_000;
        AtomicInteger ran = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(threads * each);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        for (int t = 0; t < threads; t++) {
            callers.execute(() -> IntStream.range(0, each)
                    .forEach(n -> callbacks.execute(() -> {
                        ran.incrementAndGet();
                        all.countDown();
                    })));
        }
        awaited(all);
        callers.shutdown();
        CompletableFuture<Void> next = new CompletableFuture<>();
        callbacks.execute(() -> next.complete(null));
        get(next);

        assertThat(ran.get()).isEqualTo(threads * each);
    }
}

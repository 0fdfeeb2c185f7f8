package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpResponse;
import io.stowline.transport.internal.pipeline.StreamResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

@Timeout(60)
class InterruptibleTasksTest {

    @Test
    void givesTheResult() {
        assertThat(InterruptibleTasks.mono(() -> "done").block()).isEqualTo("done");
    }

    @Test
    void runsOnADaemonThreadThatMayBlock() {
        Thread thread = InterruptibleTasks.mono(Thread::currentThread).block();

        assertThat(thread.getName()).startsWith("stowline-shared-blocking-");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(InterruptibleTasks.mono(Schedulers::isInNonBlockingThread).block())
                .isFalse();
    }

    @Test
    void givesTheErrorThatABlockingClientHasWrapped() {
        IOException broken = new IOException("reset");

        assertThat(catchThrowable(() -> InterruptibleTasks.mono(() -> {
                            throw new UncheckedIOException(broken);
                        })
                        .block()))
                .hasCause(broken)
                .isNotInstanceOf(UncheckedIOException.class);
    }

    @Test
    @DisplayName("RETRY-5: a cancel interrupts the step, and nobody hears what comes of that")
    void cancelInterrupts() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        var running = InterruptibleTasks.mono(() -> {
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return "never";
                })
                .subscribe();
        started.await();

        running.dispose();

        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("a response that comes in spite of the cancel is closed")
    void lateResultIsDiscarded() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        StreamResponse late = new StreamResponse(200, Flux.empty());
        var running = InterruptibleTasks.<HttpResponse>mono(() -> {
                    started.countDown();
                    awaitWhateverHappens(cancelled);
                    return late;
                })
                .doOnDiscard(HttpResponse.class, response -> {
                    response.close();
                    closed.countDown();
                })
                .subscribe();
        started.await();
        running.dispose();
        cancelled.countDown();

        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(late.closed()).isTrue();
    }

    private static void awaitWhateverHappens(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException ignored) {
                // As a client does that does not care for interrupts.
            }
        }
    }

    @Test
    void errorsAreWrappedAsTheSdkWrapsThem() {
        IOException broken = new IOException("reset");
        TimeoutException late = new TimeoutException();
        IllegalStateException own = new IllegalStateException();

        assertThat(InterruptibleTasks.unchecked(broken))
                .isInstanceOf(UncheckedIOException.class)
                .hasCause(broken);
        assertThat(InterruptibleTasks.unchecked(Exceptions.propagate(broken))).hasCause(broken);
        assertThat(InterruptibleTasks.unchecked(late))
                .isExactlyInstanceOf(RuntimeException.class)
                .hasCause(late);
        assertThat(InterruptibleTasks.unchecked(own)).isSameAs(own);
    }

    @Test
    void onlyWhatIsWrappedIsUnwrapped() {
        IOException broken = new IOException("reset");
        IllegalStateException own = new IllegalStateException(broken);

        assertThat(InterruptibleTasks.checked(new RuntimeException(broken))).isSameAs(broken);
        assertThat(InterruptibleTasks.checked(own)).isSameAs(own);
        assertThat(InterruptibleTasks.checked(broken)).isSameAs(broken);
    }
}

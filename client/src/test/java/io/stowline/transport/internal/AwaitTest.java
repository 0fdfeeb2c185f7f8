package io.stowline.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.StorageInterruptedException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

@Timeout(30)
class AwaitTest {

    @Test
    void givesTheResult() {
        assertThat(Await.on(Mono.just("done"))).isEqualTo("done");
        assertThat(Await.<String>on(Mono.empty())).isNull();
    }

    @Test
    void waitsForAnotherThread() {
        CompletableFuture<String> result = new CompletableFuture<>();
        Mono<String> mono =
                Mono.fromFuture(result).doOnSubscribe(subscribed -> new Thread(() -> result.complete("late")).start());

        assertThat(Await.on(mono)).isEqualTo("late");
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends the wait, cancels the operation and sets the flag again")
    void interruptEndsTheWait() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch subscribed = new CountDownLatch(1);
        Mono<String> endless = Mono.<String>never()
                .doOnSubscribe(subscription -> subscribed.countDown())
                .doOnCancel(cancelled::countDown);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            Throwable seen = catchThrowable(() -> Await.on(endless));
            flag.set(Thread.currentThread().isInterrupted());
            thrown.complete(seen);
        });
        caller.start();
        subscribed.await();
        caller.interrupt();

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining("may have been applied")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(flag).isTrue();
        assertThat(cancelled.getCount()).isZero();
    }

    @Test
    @DisplayName("RETRY-8: a caller that is interrupted already does not wait")
    void interruptedBefore() {
        AtomicBoolean cancelled = new AtomicBoolean();
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> Await.on(Mono.never().doOnCancel(() -> cancelled.set(true))));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).isInstanceOf(StorageInterruptedException.class);
        assertThat(cancelled).isTrue();
    }

    @Test
    void refusesToBlockAnEventLoop() throws Exception {
        Scheduler loop = Schedulers.newSingle("loop");
        AtomicBoolean asked = new AtomicBoolean();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        loop.schedule(() -> thrown.complete(
                catchThrowable(() -> Await.on(Mono.just(1).doOnSubscribe(subscribed -> asked.set(true))))));

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("loop-")
                .hasMessageContaining("reactive()");
        assertThat(asked).isFalse();
        loop.dispose();
    }

    @Test
    @DisplayName("RETRY-7: what is thrown is the operation's own exception, with the caller's stack beside it")
    void rethrowsTheOriginal() {
        IllegalArgumentException original = new IllegalArgumentException("original");

        assertThatThrownBy(() -> Await.on(Mono.error(original))).isSameAs(original);
        assertThat(original.getSuppressed()).hasSize(1);
        assertThat(original.getSuppressed()[0].getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getMethodName()).contains("rethrowsTheOriginal"));
    }

    @Test
    void wrapsAnErrorThatIsChecked() {
        assertThatThrownBy(() -> Await.on(Mono.error(new IOException("disk"))))
                .isInstanceOf(RuntimeException.class)
                .hasCauseInstanceOf(IOException.class);
    }
}

package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.transport.internal.error.FailureFacts;
import java.io.IOException;
import java.time.Duration;
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
class BlockingAwaitTest {

    @Test
    void givesTheResult() {
        assertThat(BlockingAwait.on(Mono.just("done"))).isEqualTo("done");
        assertThat(BlockingAwait.<String>on(Mono.empty())).isNull();
    }

    @Test
    void waitsForAnotherThread() {
        CompletableFuture<String> result = new CompletableFuture<>();
        Mono<String> mono =
                Mono.fromFuture(result).doOnSubscribe(subscribed -> new Thread(() -> result.complete("late")).start());

        assertThat(BlockingAwait.on(mono)).isEqualTo("late");
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
            Throwable seen = catchThrowable(() -> BlockingAwait.on(endless));
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
    @DisplayName("RETRY-8: a call on a thread that is interrupted already begins nothing")
    void interruptedBefore() {
        AtomicBoolean begun = new AtomicBoolean();
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(() -> BlockingAwait.on(Mono.never().doOnSubscribe(seen -> begun.set(true))));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown)
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining("nothing was sent")
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(begun).isFalse();
    }

    @Test
    @DisplayName("RETRY-8: closing begins on an interrupted thread, too")
    void closingBegins() {
        AtomicBoolean begun = new AtomicBoolean();
        Thread.currentThread().interrupt();

        Throwable thrown = catchThrowable(
                () -> BlockingAwait.onEvenIfInterrupted(Mono.never().doOnSubscribe(seen -> begun.set(true))));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).isInstanceOf(StorageInterruptedException.class);
        assertThat(begun).isTrue();
    }

    @Test
    void refusesToBlockAnEventLoop() throws Exception {
        Scheduler loop = Schedulers.newSingle("loop");
        AtomicBoolean requested = new AtomicBoolean();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        loop.schedule(() -> thrown.complete(
                catchThrowable(() -> BlockingAwait.on(Mono.just(1).doOnSubscribe(subscribed -> requested.set(true))))));

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("loop-")
                .hasMessageContaining("reactive()");
        assertThat(requested).isFalse();
        loop.dispose();
    }

    @Test
    @DisplayName("RETRY-7: what is thrown is the operation's own exception, with the caller's stack below its own")
    void rethrowsTheOriginal() throws Exception {
        CompletableFuture<IllegalArgumentException> made = new CompletableFuture<>();
        new Thread(() -> made.complete(new IllegalArgumentException("original"))).start();
        IllegalArgumentException original = made.get(20, TimeUnit.SECONDS);

        assertThatThrownBy(() -> BlockingAwait.on(Mono.error(original))).isSameAs(original);
        assertThat(original.getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getMethodName()).contains("rethrowsTheOriginal"))
                .noneMatch(frame -> frame.getClassName().startsWith("reactor."));
        assertThat(original.getSuppressed()).isEmpty();
    }

    @Test
    @DisplayName("RETRY-7: a storage exception has the caller's stack on top, and each caller its own")
    void callersStackOnTop() throws Exception {
        NotFoundException original = new NotFoundException(
                new FailureDetails("find", "t(p, r)", 404, "X", "text", 1, 0, Duration.ZERO, null, "id", null, "end"),
                null);

        Throwable thrown = catchThrowable(() -> BlockingAwait.on(Mono.error(original)));
        assertThat(thrown)
                .isExactlyInstanceOf(NotFoundException.class)
                .isNotSameAs(original)
                .hasMessage(original.getMessage());
        assertThat(((NotFoundException) thrown).failure()).isEqualTo(original.failure());
        assertThat(thrown.getStackTrace()[0].getClassName()).doesNotStartWith("reactor.");
        assertThat(thrown.getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getMethodName()).contains("callersStackOnTop"));
    }

    @Test
    @DisplayName("RETRY-7: a storage exception keeps the failures beneath it")
    void keepsSuppressed() {
        NotFoundException original =
                new NotFoundException(FailureFacts.of("get", "people").because("absent", "final"), null);
        IllegalStateException beneath = new IllegalStateException("another one");
        original.addSuppressed(beneath);

        assertThatThrownBy(() -> BlockingAwait.on(Mono.error(original)))
                .isNotSameAs(original)
                .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(beneath));
    }

    @Test
    void wrapsAnErrorThatIsChecked() {
        assertThatThrownBy(() -> BlockingAwait.on(Mono.error(new IOException("disk"))))
                .isInstanceOf(RuntimeException.class)
                .hasCauseInstanceOf(IOException.class);
    }
}

package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.core.IntervalBiFunction;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.stowline.retry.internal.engine.Classifier;
import io.stowline.retry.internal.engine.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link Backoff} inside Resilience4j's own Retry. */
class BackoffInteropTest {

    private static final Classifier<String> HINT_OF_TEN_SECONDS =
            (result, error) -> error != null && error.getMessage().equals("busy")
                    ? Verdict.retry("busy").withHint(Duration.ofNanos(9_999_999_001L))
                    : Verdict.retry("other");

    /** Runs what is scheduled at once and keeps the delays; it never starts a thread. */
    private static final class Recorder extends ScheduledThreadPoolExecutor {

        private final List<Long> millis = new ArrayList<>();

        Recorder() {
            super(1);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
            millis.add(unit.toMillis(delay));
            command.run();
            return null;
        }
    }

    private static List<Long> delaysOf(RetryConfig config, String failure) {
        try (AutoShutdown recorder = new AutoShutdown()) {
            CompletableFuture<String> result = Retry.of("test", config)
                    .executeCompletionStage(
                            recorder.timer, () -> CompletableFuture.<String>failedFuture(new Exception(failure)))
                    .toCompletableFuture();
            assertThat(result).isCompletedExceptionally();
            return recorder.timer.millis;
        }
    }

    private static final class AutoShutdown implements AutoCloseable {

        private final Recorder timer = new Recorder();

        @Override
        public void close() {
            timer.shutdownNow();
        }
    }

    @Test
    @DisplayName("RETRY-1: a Resilience4j Retry waits 2, 6, 14 and 30 s, in milliseconds")
    void retryWaitsByTheFormula() {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(5)
                .intervalFunction(Backoff.standard().withRandom(new Draws(0.5)))
                .build();

        assertThat(delaysOf(config, "busy")).containsExactly(2_000L, 6_000L, 14_000L, 30_000L);
    }

    @Test
    @DisplayName("RETRY-4: in a Resilience4j Retry the hint is a floor")
    void retryHonoursTheHint() {
        RetryConfig config = RetryConfig.<String>custom()
                .maxAttempts(5)
                .intervalBiFunction(
                        Backoff.standard().withRandom(new Draws(0.5)).hintedBy((result, error) -> HINT_OF_TEN_SECONDS
                                .classify(result, error)
                                .hint()))
                .build();

        assertThat(delaysOf(config, "busy")).containsExactly(10_000L, 10_000L, 14_000L, 30_000L);
        assertThat(delaysOf(config, "other")).containsExactly(2_000L, 6_000L, 14_000L, 30_000L);
    }

    @Test
    void noneEndsARetryAfterTheFirstCall() {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(5)
                .intervalFunction(Backoff.none())
                .build();
        AtomicInteger calls = new AtomicInteger();

        assertThatThrownBy(() -> Retry.of("test", config).executeSupplier(() -> {
                    calls.incrementAndGet();
                    throw new IllegalStateException("busy");
                }))
                .hasMessage("busy");

        assertThat(calls).hasValue(1);
        assertThat(delaysOf(config, "busy")).isEmpty();
    }

    @Test
    void aFixedDelayOfZeroRetriesAtOnce() {
        RetryConfig config = RetryConfig.custom()
                .maxAttempts(3)
                .intervalFunction(Backoff.fixed(Duration.ZERO))
                .build();

        assertThat(delaysOf(config, "busy")).containsExactly(0L, 0L);
    }

    @Test
    void partsOfAMillisecondCountAsAWholeOne() {
        assertThat(Backoff.fixed(Duration.ofNanos(1)).apply(1)).isEqualTo(1L);
        assertThat(Backoff.fixed(Duration.ofNanos(2_000_001)).apply(1)).isEqualTo(3L);
        assertThat(Backoff.fixed(Duration.ofMillis(2)).apply(1)).isEqualTo(2L);
    }

    @Test
    void drawsFromTheThreadsOwnSourceByDefault() {
        for (int retry = 1; retry <= 100; retry++) {
            assertThat(Backoff.standard().apply(5)).isBetween(24_000L, 30_000L);
        }
    }

    @Test
    @DisplayName("RETRY-4: the hint may come from a result, and none() stays none")
    void hintOfAResult() {
        BiFunction<Integer, Throwable, Duration> seconds = (result, error) -> Duration.ofSeconds(result);
        IntervalBiFunction<Integer> hinted =
                Backoff.standard().withRandom(new Draws(0.5)).hintedBy(seconds);

        assertThat(hinted.apply(1, Either.right(1))).isEqualTo(2_000L);
        assertThat(hinted.apply(1, Either.right(3))).isEqualTo(3_000L);
        assertThat(Backoff.none().hintedBy(seconds).apply(1, Either.right(3))).isEqualTo(-1L);
    }
}

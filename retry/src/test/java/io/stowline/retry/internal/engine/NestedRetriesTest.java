package io.stowline.retry.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.stowline.retry.Backoff;
import io.stowline.retry.Draws;
import io.stowline.retry.ManualTimer;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.Receiver;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota.ExhaustedPolicy;
import io.stowline.retry.internal.timeout.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * Retries of Resilience4j around those of the client, while the service refuses each attempt at once for its load: the table of
 * {@code docs/spring-resilience4j.md}.
 */
class NestedRetriesTest {

    private static final RetrySettings STANDARD = RetrySettings.defaults();
    private static final RetrySettings INTERACTIVE =
            RetrySettings.builder().backoff(Backoff.interactive()).build();
    private static final RetrySettings OFF = RetrySettings.builder().retries(0).build();
    private static final IntervalFunction HALF_A_SECOND = IntervalFunction.of(500);

    private final ManualTimer timer = new ManualTimer();
    private final RetryEngine engine = new RetryEngine(timer, new Draws(0.5));
    private final RetryQuota quota = RetryQuota.of(QuotaSettings.defaults(), timer);
    private int requests;

    private ScriptedCall<String> busy(RetrySettings settings) {
        return ScriptedCall.<String>of(
                        settings,
                        Deadline.in(settings.deadline(), timer),
                        (result, error) -> Verdict.retry("503 ServerBusy"),
                        attempt -> {
                            requests++;
                            return Mono.just("busy");
                        })
                .within(quota, ExhaustedPolicy.REFUSE);
    }

    /** Runs one call of the client to its end. */
    private void call(RetrySettings settings) {
        Receiver<RetryResult<String>> receiver = new Receiver<>();
        engine.execute(busy(settings)).subscribe(receiver);
        receiver.request();
        while (receiver.empty()) {
            timer.advance(Duration.ofMillis(1));
        }
    }

    private static Retry.AsyncContext<String> retry(int maxAttempts, IntervalFunction waits) {
        return Retry.of(
                        "outer",
                        RetryConfig.custom()
                                .maxAttempts(maxAttempts)
                                .intervalFunction(waits)
                                .build())
                .asyncContext();
    }

    /** Runs calls of the client as a Retry around them repeats them, and another Retry around that one. */
    private String nested(RetrySettings client, int maxAttempts, IntervalFunction waits, int outermost) {
        long began = timer.now(TimeUnit.MILLISECONDS);
        Retry.AsyncContext<String> outer = retry(outermost, IntervalFunction.of(1_000));
        long again;
        do {
            Retry.AsyncContext<String> inner = retry(maxAttempts, waits);
            long wait;
            do {
                call(client);
                wait = inner.onError(new IllegalStateException("busy"));
                timer.advance(Duration.ofMillis(Math.max(wait, 0)));
            } while (wait >= 0);
            again = outer.onError(new IllegalStateException("busy"));
            timer.advance(Duration.ofMillis(Math.max(again, 0)));
        } while (again >= 0);
        double seconds = (timer.now(TimeUnit.MILLISECONDS) - began) / 1_000.0;
        return requests + " | " + (seconds == Math.rint(seconds) ? String.valueOf((long) seconds) : seconds) + " s |";
    }

    @Test
    @DisplayName("RETRY-6: what layers of retries multiply is as documented")
    void documented() throws IOException {
        IntervalFunction standard = Backoff.standard().withRandom(new Draws(0.5));

        assertThat(Files.readAllLines(page()))
                .containsSubsequence(
                        "| standard | none | " + fresh().nested(STANDARD, 1, HALF_A_SECOND, 1),
                        "| standard | 3 attempts, 500 ms apart | " + fresh().nested(STANDARD, 3, HALF_A_SECOND, 1),
                        "| standard | the same, and 4 attempts around it, 1 s apart | "
                                + fresh().nested(STANDARD, 3, HALF_A_SECOND, 4),
                        "| interactive | none | " + fresh().nested(INTERACTIVE, 1, HALF_A_SECOND, 1),
                        "| interactive | 3 attempts, 500 ms apart | "
                                + fresh().nested(INTERACTIVE, 3, HALF_A_SECOND, 1),
                        "| off | 3 attempts, 500 ms apart | " + fresh().nested(OFF, 3, HALF_A_SECOND, 1),
                        "| off | 5 attempts by `Backoff.standard()` | " + fresh().nested(OFF, 5, standard, 1));
    }

    /** Starts calls of the client at once, each of which is repeated around it so often, and returns the requests of the minutes that follow. */
    private int storm(int callers, int maxAttempts) {
        for (int caller = 0; caller < callers; caller++) {
            start(maxAttempts);
        }
        timer.advance(Duration.ofMinutes(10));
        return requests;
    }

    private void start(int attempts) {
        engine.execute(busy(STANDARD)).subscribe(end -> {
            if (attempts > 1) {
                timer.schedule(() -> start(attempts - 1), 500, TimeUnit.MILLISECONDS);
            }
        });
    }

    @Test
    @DisplayName("RETRY-6: the quota bounds the retries of the client, and not those around it")
    void storms() throws IOException {
        assertThat(Files.readString(page()))
                .contains("Of 200 calls at once, " + fresh().storm(200, 1) + " requests come without a layer around the"
                        + " client, and " + fresh().storm(200, 3) + " with 3 attempts around it");
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CHANGELOG.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/spring-resilience4j.md");
    }

    private static NestedRetriesTest fresh() {
        return new NestedRetriesTest();
    }
}

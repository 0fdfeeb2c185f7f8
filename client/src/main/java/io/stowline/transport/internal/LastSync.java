package io.stowline.transport.internal;

import com.azure.core.http.HttpMethod;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Up to when the secondary of one service has all writes. Asked for at most once a minute, by one request whoever wants it, and without
 * much patience: what cannot be had is unknown for that minute. The service itself brings the figure up to date every few minutes.
 * Thread-safe.
 */
final class LastSync {

    static final Duration KEPT = Duration.ofMinutes(1);

    /** One attempt: whoever waits for it has a read to make. */
    static final RetrySettings SETTINGS = RetrySettings.builder()
            .backoff(Backoff.none())
            .serverTimeout(Duration.ofSeconds(1))
            .attemptTimeout(Duration.ofSeconds(2))
            .leastAttempt(Duration.ofMillis(100))
            .reserve(Duration.ZERO)
            .deadline(Duration.ofSeconds(2))
            .build();

    private static final Pattern TIME = Pattern.compile("<LastSyncTime>([^<]*)</LastSyncTime>");

    private final Secondary secondary;
    private final StoragePipeline pipeline;
    private final AtomicReference<@Nullable Figure> last = new AtomicReference<>();

    LastSync(Secondary secondary, StoragePipeline pipeline) {
        this.secondary = secondary;
        this.pipeline = pipeline;
    }

    Secondary secondary() {
        return secondary;
    }

    private record Figure(long asked, Mono<Optional<Instant>> answer) {}

    /** The moment, or empty if it is not known; never an error. */
    Mono<Optional<Instant>> known() {
        return Mono.defer(() -> {
            long now = pipeline.timer().now(TimeUnit.NANOSECONDS);
            Figure seen = last.get();
            if (seen != null && now - seen.asked() < KEPT.toNanos()) {
                return seen.answer();
            }
            Figure next = new Figure(now, ask().cache());
            if (last.compareAndSet(seen, next)) {
                // On its own, so that a reader who gives up does not take it from the others.
                next.answer().subscribe();
                return next.answer();
            }
            return known();
        });
    }

    private Mono<Optional<Instant>> ask() {
        Request request = Request.of(
                "lastSync",
                secondary.root().getHost(),
                Effect.READ,
                HttpMethod.GET,
                secondary.primary() + "/?restype=service&comp=stats");
        AnswerReader<Optional<Instant>> reader = answer -> new Reading.Value<>(read(answer.text()));
        return pipeline.send(Call.of(request, SETTINGS, reader).routed(Routing.alone(secondary)))
                .onErrorReturn(Optional.empty());
    }

    /** Empty while the copy is being made or cannot be reached (the page "Get Table Service Stats"). */
    static Optional<Instant> read(String stats) {
        Matcher time = TIME.matcher(stats);
        return time.find() ? Optional.ofNullable(HttpDates.parse(time.group(1).strip())) : Optional.empty();
    }
}

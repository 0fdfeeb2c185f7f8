package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpMethod;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.SecondaryEndpoint;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute.LastSyncTime;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
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
 * A cache of the time up to which the secondary of one service has all writes. It is requested at most once a minute, by one request for all who want it, and without
 * much patience: what cannot be had is unknown for that minute. The service itself brings the figure up to date every few minutes.
 * Thread-safe.
 */
public final class LastSyncTimeCache implements LastSyncTime {

    public static final Duration KEPT = Duration.ofMinutes(1);

    /** One attempt: its waiters have reads to make. */
    static final RetrySettings SETTINGS = RetrySettings.builder()
            .backoff(Backoff.none())
            .serverTimeout(Duration.ofSeconds(1))
            .attemptTimeout(Duration.ofSeconds(2))
            .minAttempt(Duration.ofMillis(100))
            .reserve(Duration.ZERO)
            .deadline(Duration.ofSeconds(2))
            .build();

    private static final Pattern TIME = Pattern.compile("<LastSyncTime>([^<]*)</LastSyncTime>");

    private final SecondaryEndpoint secondary;
    private final StoragePipeline pipeline;
    private final AtomicReference<@Nullable Figure> last = new AtomicReference<>();

    LastSyncTimeCache(SecondaryEndpoint secondary, StoragePipeline pipeline) {
        this.secondary = secondary;
        this.pipeline = pipeline;
    }

    SecondaryEndpoint secondary() {
        return secondary;
    }

    private record Figure(long requested, Mono<Optional<Instant>> response) {}

    @Override
    public Mono<Optional<Instant>> known() {
        return Mono.defer(() -> {
            long now = pipeline.timer().now(TimeUnit.NANOSECONDS);
            Figure seen = last.get();
            if (seen != null && now - seen.requested() < KEPT.toNanos()) {
                return seen.response();
            }
            Figure next = new Figure(now, request().cache());
            if (last.compareAndSet(seen, next)) {
                // On its own, so that a reader who gives up does not take it from the others.
                next.response().subscribe();
                return next.response();
            }
            return known();
        });
    }

    private Mono<Optional<Instant>> request() {
        Request request = Request.of(
                "lastSync",
                secondary.root().getRawAuthority(),
                OperationType.READ,
                HttpMethod.GET,
                secondary.primary() + "/?restype=service&comp=stats");
        ResponseParser<Optional<Instant>> reader = response -> new ParseResult.Value<>(read(response.text()));
        return pipeline.send(Exchange.of(request, SETTINGS, reader).routed(ReadRoute.alone(secondary)))
                .onErrorReturn(Optional.empty());
    }

    /**
     * Reads the time, which is empty while the copy is being made or cannot be reached (the page "Get Table Service
     * Stats").
     */
    public static Optional<Instant> read(String stats) {
        Matcher time = TIME.matcher(stats);
        return time.find() ? Optional.ofNullable(HttpDates.parse(time.group(1).strip())) : Optional.empty();
    }
}

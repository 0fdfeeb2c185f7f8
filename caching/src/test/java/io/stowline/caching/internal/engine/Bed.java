package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.entry.CacheClock;
import io.stowline.caching.internal.entry.CacheEngineSettings;
import io.stowline.caching.internal.entry.OverflowStore;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** An engine in virtual time, whose blocking work is done at once, and one resource. */
public final class Bed {

    public static final CacheKey KEY = new CacheKey("scope", "account/table/row", "");
    public static final Freshness MINUTE = Freshness.fresh(Duration.ofMinutes(1));

    final VirtualTimeScheduler time;
    public final Origin origin = new Origin();
    public final CacheEngine engine;

    public Bed() {
        this(1 << 20, 1 << 17, null);
    }

    public Bed(long memory, long largest, @Nullable OverflowStore shelf) {
        this(memory, largest, shelf, VirtualTimeScheduler.create());
    }

    public Bed(long memory, long largest, @Nullable OverflowStore shelf, VirtualTimeScheduler time) {
        this(memory, largest, shelf, time, Schedulers.immediate());
    }

    Bed(long memory, long largest, @Nullable OverflowStore shelf, VirtualTimeScheduler time, Scheduler work) {
        this.time = time;
        engine = new CacheEngine(new CacheEngineSettings(memory, largest, null, CacheClock.of(time), work), shelf);
    }

    public Mono<CachedResponse> read(CacheKey key, Freshness freshness, Loader loader) {
        return engine.read(new CacheRead(key, freshness, loader, failure -> failure instanceof UncheckedIOException));
    }

    public Mono<CachedResponse> read(Freshness freshness) {
        return read(KEY, freshness, origin);
    }

    /** Returns the result of a read, as "OUTCOME body". */
    public String see(Freshness freshness) {
        return text(Objects.requireNonNull(read(freshness).block(Duration.ofSeconds(30))));
    }

    public CacheOutcome outcome(Freshness freshness) {
        CachedResponse response = Objects.requireNonNull(read(freshness).block(Duration.ofSeconds(30)));
        response.close();
        return response.outcome();
    }

    public static String text(CachedResponse response) {
        byte[] bytes = Objects.requireNonNull(response.bytes().block(Duration.ofSeconds(30)));
        return response.outcome() + " " + new String(bytes, StandardCharsets.UTF_8);
    }

    public void pass(Duration time) {
        this.time.advanceTimeBy(time);
    }
}

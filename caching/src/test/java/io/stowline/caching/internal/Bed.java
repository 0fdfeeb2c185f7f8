package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedAnswer;
import io.stowline.caching.Freshness;
import io.stowline.caching.Loader;
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
final class Bed {

    static final CacheKey KEY = new CacheKey("scope", "account/table/row", "");
    static final Freshness MINUTE = Freshness.fresh(Duration.ofMinutes(1));

    final VirtualTimeScheduler time;
    final Origin origin = new Origin();
    final Engine engine;

    Bed() {
        this(1 << 20, 1 << 17, null);
    }

    Bed(long memory, long largest, @Nullable Shelf shelf) {
        this(memory, largest, shelf, VirtualTimeScheduler.create());
    }

    Bed(long memory, long largest, @Nullable Shelf shelf, VirtualTimeScheduler time) {
        this(memory, largest, shelf, time, Schedulers.immediate());
    }

    Bed(long memory, long largest, @Nullable Shelf shelf, VirtualTimeScheduler time, Scheduler work) {
        this.time = time;
        engine = new Engine(new EngineSettings(memory, largest, null, Watch.of(time), work), shelf);
    }

    Mono<CachedAnswer> read(CacheKey key, Freshness freshness, Loader loader) {
        return engine.read(new Read(key, freshness, loader, failure -> failure instanceof UncheckedIOException));
    }

    Mono<CachedAnswer> read(Freshness freshness) {
        return read(KEY, freshness, origin);
    }

    /** What a read gives, as "OUTCOME body". */
    String see(Freshness freshness) {
        return text(Objects.requireNonNull(read(freshness).block(Duration.ofSeconds(30))));
    }

    CacheOutcome outcome(Freshness freshness) {
        CachedAnswer answer = Objects.requireNonNull(read(freshness).block(Duration.ofSeconds(30)));
        answer.close();
        return answer.outcome();
    }

    static String text(CachedAnswer answer) {
        byte[] bytes = Objects.requireNonNull(answer.bytes().block(Duration.ofSeconds(30)));
        return answer.outcome() + " " + new String(bytes, StandardCharsets.UTF_8);
    }

    void pass(Duration time) {
        this.time.advanceTimeBy(time);
    }
}

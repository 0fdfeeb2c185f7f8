package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.ResponseCache;
import io.stowline.caching.internal.disk.DiskStore;
import io.stowline.caching.internal.engine.KeyBackoffs.KeyOutages;
import io.stowline.caching.internal.engine.SharedLoad.LeaderFailedException;
import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.BlockingWorker;
import io.stowline.caching.internal.entry.CacheClock;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.CacheCounts;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.CacheEngineSettings;
import io.stowline.caching.internal.entry.CacheHit;
import io.stowline.caching.internal.entry.CacheTiers;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.InvalidationLog;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.entry.MemoryTier;
import io.stowline.caching.internal.entry.OverflowStore;
import io.stowline.caching.internal.load.CacheKey;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** The engine that serves each read from the cache, by a load, or by both (decision 39). Thread-safe. */
public final class CacheEngine implements ResponseCache {

    private final InvalidationLog stamps = new InvalidationLog();
    private final CacheCounts counts;
    private final KeyBackoffs backoffs = new KeyBackoffs();
    private final KeyOutages outages = new KeyOutages();
    private final CacheClock watch;
    private final CacheTiers tiers;
    private final SharedLoads flights;
    private volatile boolean closed;

    CacheEngine(CacheEngineSettings settings, @Nullable OverflowStore shelf) {
        this(settings, shelf, new CacheCounts());
    }

    private CacheEngine(CacheEngineSettings settings, @Nullable OverflowStore shelf, CacheCounts counts) {
        this.counts = counts;
        this.watch = settings.watch();
        MemoryTier memory = new MemoryTier(settings.memory(), settings.maxInMemory(), stamps, watch);
        this.tiers = new CacheTiers(memory, shelf, stamps, watch, new BlockingWorker(settings.work(), counts));
        this.flights = new SharedLoads(stamps, watch);
        if (shelf != null) {
            shelf.forEach(key -> stamps.request(key.resource()));
        }
    }

    /**
     * Opens an engine. A folder that cannot be used costs the tier on disk, which is counted and logged, and nothing else.
     *
     * @param settings its bounds, and what it works with
     */
    public static CacheEngine open(CacheEngineSettings settings) {
        CacheCounts counts = new CacheCounts();
        CacheEngineSettings.DiskTierSettings disk = settings.disk();
        return new CacheEngine(settings, disk == null ? null : shelf(disk, settings.work(), counts), counts);
    }

    /** Returns the engine that each cache is. */
    public static CacheEngine of(ResponseCache cache) {
        return (CacheEngine) cache;
    }

    private static @Nullable OverflowStore shelf(
            CacheEngineSettings.DiskTierSettings disk, Scheduler work, CacheCounts counts) {
        try {
            return DiskStore.open(disk, work);
        } catch (IOException | RuntimeException e) {
            counts.withoutDisk(disk.folder(), e);
            return null;
        }
    }

    /** Serves a read, again at each subscription. */
    public Mono<CachedResponse> read(CacheRead read) {
        return Mono.defer(() -> {
                    LateDelivery delivery = new LateDelivery();
                    PendingRead wish = new PendingRead(read, watch.now(), false);
                    return (closed ? alone(wish, CacheOutcome.MISS) : lookUp(wish))
                            .doOnNext(delivery::give)
                            .doOnCancel(delivery::leave);
                })
                .doOnNext(response -> counts.read(response.outcome()))
                .doOnDiscard(CachedResponse.class, CachedResponse::close);
    }

    private Mono<CachedResponse> lookUp(PendingRead wish) {
        int ended = flights.ended(wish.key());
        return tiers.find(wish.key())
                .flatMap(hit -> judge(wish, hit, ended))
                .switchIfEmpty(Mono.defer(() -> request(wish, null, false, ended)));
    }

    private Mono<CachedResponse> judge(PendingRead wish, CacheHit hit, int ended) {
        EntryHead head = hit.head();
        Freshness freshness = wish.read().freshness();
        ClockReading now = watch.now();
        if (!stamps.hold(wish.key().resource(), head.stamp(), now)) {
            return request(wish, hit, false, ended);
        }
        if (head.stamp().ofThisProcess() && !head.isPart()) {
            if (isWithin(head.absent() ? freshness.negative() : freshness.window(), head, now)) {
                return Mono.just(respond(wish.read(), CacheOutcome.HIT, head, hit.passOn()));
            }
            if (mayBeStale(freshness.staleWhileRevalidating(), freshness, head, now)) {
                refresh(wish, now);
                return Mono.just(respond(wish.read(), CacheOutcome.STALE, head, hit.passOn()));
            }
        }
        boolean standsIn = mayBeStale(freshness.staleIfError(), freshness, head, now);
        if (standsIn && outages.remembers(wish.key(), now)) {
            return Mono.just(respond(wish.read(), CacheOutcome.STALE, head, hit.passOn()));
        }
        return request(wish, hit, standsIn, ended);
    }

    private static boolean isWithin(Duration bound, EntryHead head, ClockReading now) {
        return head.age(now).compareTo(bound) < 0;
    }

    private static boolean mayBeStale(Duration bound, Freshness freshness, EntryHead head, ClockReading now) {
        return !bound.isZero()
                && !head.absent()
                && head.age(now).minus(freshness.window()).compareTo(bound) < 0;
    }

    /** A load that a stale response may stand in for makes one attempt. */
    private Mono<CachedResponse> request(PendingRead wish, @Nullable CacheHit hit, boolean once, int ended) {
        return join(wish, hit, once, ended)
                .flatMap(ticket -> redeem(wish, ticket))
                .onErrorResume(failure -> failed(wish, failure));
    }

    private Mono<LoadShare> join(PendingRead wish, @Nullable CacheHit hit, boolean once, int ended) {
        ClockReading now = watch.now();
        return flights.join(new SharedLoads.Boarding(
                wish.key(),
                wish.terms(once),
                wish.leading(now),
                wish.following(now),
                flight -> load(wish.read(), hit, once, flight, ended),
                () -> {
                    if (hit != null) {
                        hit.release();
                    }
                }));
    }

    /** A load may have ended between the lookup and now: its result need not be loaded again. */
    private Mono<LoadCompletion> load(
            CacheRead read, @Nullable CacheHit hit, boolean once, SharedLoad flight, int ended) {
        Mono<LoadCompletion> load = Mono.defer(() -> new CacheLoad(read, hit, once, flight, tiers, stamps).run());
        return flights.ended(read.key()) == ended
                ? load
                : tiers.find(read.key())
                        .flatMap(now -> taken(read, hit, now, flight.stamp()))
                        .switchIfEmpty(load);
    }

    private Mono<LoadCompletion> taken(CacheRead read, @Nullable CacheHit hit, CacheHit now, InvalidationStamp stamp) {
        InvalidationStamp found = now.head().stamp();
        boolean later = hit == null || !found.equals(hit.head().stamp());
        if (!later || !found.ofThisProcess() || !stamps.hold(read.key().resource(), found, stamp.begun())) {
            now.release();
            return Mono.empty();
        }
        if (hit != null) {
            hit.release();
        }
        CachedBody body = now.passOn();
        LoadCompletion landing = LoadCompletion.of(CacheOutcome.COLLAPSED, now.head(), body);
        return Mono.just(body.shared() ? landing : landing.shelved());
    }

    private Mono<CachedResponse> redeem(PendingRead wish, LoadShare ticket) {
        CacheRead read = wish.read();
        outages.succeeded(read.key());
        LoadCompletion landing = ticket.landing();
        EntryHead head = landing.head();
        CachedBody body = landing.body();
        if (head != null && body != null && (ticket.first() || body.shared())) {
            boolean own = ticket.first() || landing.outcome() == CacheOutcome.STALE;
            return Mono.just(respond(read, own ? landing.outcome() : CacheOutcome.COLLAPSED, head, body));
        }
        CacheOutcome requested =
                landing.outcome() == CacheOutcome.REFRESHED ? CacheOutcome.REFRESHED : CacheOutcome.MISS;
        Mono<CachedResponse> alone = Mono.defer(() -> alone(wish.onceMore(), requested));
        return landing.onShelf()
                ? tiers.findOnShelf(read.key())
                        .map(hit -> respond(read, CacheOutcome.COLLAPSED, hit.head(), hit.passOn()))
                        .switchIfEmpty(alone)
                : alone;
    }

    /** A request for this reader only, without an entry in the cache. */
    private Mono<CachedResponse> alone(PendingRead wish, CacheOutcome outcome) {
        ClockReading now = watch.now();
        return flights.alone(new SharedLoads.Boarding(
                        wish.key(),
                        wish.terms(false),
                        wish.leading(now),
                        wish.following(now),
                        flight -> CacheLoad.past(wish.read().loader(), flight.stamp(), outcome),
                        () -> {}))
                .map(ticket -> {
                    LoadCompletion landing = ticket.landing();
                    return respond(
                            wish.read(),
                            outcome,
                            Objects.requireNonNull(landing.head()),
                            Objects.requireNonNull(landing.body()));
                });
    }

    /**
     * Serves the cached version, if the freshness allows that for an unavailable service. Another reader's failure is
     * no reason to fail.
     */
    private Mono<CachedResponse> failed(PendingRead wish, Throwable failure) {
        boolean another = failure instanceof LeaderFailedException;
        Throwable cause = another ? failure.getCause() : failure;
        Mono<CachedResponse> otherwise = another ? Mono.defer(() -> lookUp(wish.onceMore())) : Mono.error(failure);
        CacheRead read = wish.read();
        if (read.freshness().staleIfError().isZero() || !read.unavailable().test(cause)) {
            return otherwise;
        }
        return tiers.find(wish.key()).flatMap(hit -> stale(read, hit)).switchIfEmpty(otherwise);
    }

    private Mono<CachedResponse> stale(CacheRead read, CacheHit hit) {
        EntryHead head = hit.head();
        Freshness freshness = read.freshness();
        ClockReading now = watch.now();
        if (stamps.hold(read.key().resource(), head.stamp(), now)
                && mayBeStale(freshness.staleIfError(), freshness, head, now)) {
            outages.failed(read.key(), now);
            return Mono.just(respond(read, CacheOutcome.STALE, head, hit.passOn()));
        }
        hit.release();
        return Mono.empty();
    }

    /** Loads behind a stale response, on a separate thread, for a loader may block; without the context of the reader, who waits for nothing. */
    private void refresh(PendingRead wish, ClockReading now) {
        CacheKey key = wish.key();
        if (backoffs.take(key, now)) {
            int ended = flights.ended(key);
            tiers.find(key)
                    .flatMap(hit -> join(wish, hit, false, ended))
                    .switchIfEmpty(Mono.defer(() -> join(wish, null, false, ended)))
                    .subscribeOn(tiers.work().scheduler())
                    .subscribe(
                            CacheEngine::putBack,
                            failure -> refreshFailed(key, failure),
                            () -> backoffs.succeeded(key));
        }
    }

    private static void putBack(LoadShare ticket) {
        if (ticket.first()) {
            ticket.landing().close();
        }
    }

    private void refreshFailed(CacheKey key, Throwable failure) {
        counts.refreshFailed(key.resource(), failure);
        backoffs.failed(key, watch.now());
    }

    private CachedResponse respond(CacheRead read, CacheOutcome outcome, EntryHead head, CachedBody body) {
        CachedBody whole = body.onShelf() ? new MendedBody(body, head.etag(), read.loader(), tiers.work()) : body;
        return new CachedResponse(outcome, head.age(watch.now()), head, whole);
    }

    @Override
    public void invalidate(String resource, Duration horizon) {
        ClockReading now = watch.now();
        stamps.invalidate(resource, now.after(notNegative(horizon)), now);
    }

    /** Without a response the write may not have taken effect: then the entries stay, to be revalidated. */
    @Override
    public void invalidateAll(String prefix, Duration horizon) {
        ClockReading now = watch.now();
        stamps.invalidateAll(prefix, now.after(notNegative(horizon)), now);
        if (horizon.isZero()) {
            tiers.removeAll(prefix);
        }
    }

    private static Duration notNegative(Duration horizon) {
        if (horizon.isNegative()) {
            throw new IllegalArgumentException("horizon is " + horizon + "; it is not negative");
        }
        return horizon;
    }

    /** Returns the value of a counter. */
    public long count(CacheCounter what) {
        return switch (what) {
            case ENTRIES -> tiers.memory().size();
            case MEMORY_BYTES -> tiers.memory().bytes();
            case PUTS -> tiers.memory().puts();
            case EVICTIONS -> tiers.memory().evictions();
            case FAILED_REFRESHES -> counts.failedRefreshes();
            case FAULTS -> counts.faults();
            case LOADS_UNDER_WAY -> flights.size();
        };
    }

    @Override
    public long reads(CacheOutcome outcome) {
        return counts.reads(outcome);
    }

    @Override
    public void close() {
        closed = true;
        tiers.close();
    }

    /** A subscriber that closes a response that comes after its reader has left: it may hold a file open. Thread-safe. */
    private static final class LateDelivery {

        private boolean left;

        /** Closes each later response. One that was emitted belongs to its receiver. */
        synchronized void leave() {
            left = true;
        }

        void give(CachedResponse response) {
            boolean late;
            synchronized (this) {
                late = left;
            }
            if (late) {
                response.close();
            }
        }
    }
}

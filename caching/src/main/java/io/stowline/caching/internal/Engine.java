package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import io.stowline.caching.CacheOutcome;
import io.stowline.caching.CachedAnswer;
import io.stowline.caching.Conditions;
import io.stowline.caching.Freshness;
import io.stowline.caching.Loaded;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Decides of each read whether it is answered from what is there, by a load, or by both. Thread-safe. */
public final class Engine implements AutoCloseable {

    private final Stamps stamps = new Stamps();
    private final Counts counts;
    private final Backoffs backoffs = new Backoffs();
    private final Outages outages = new Outages();
    private final Watch watch;
    private final Tiers tiers;
    private final Flights flights;
    private volatile boolean closed;

    Engine(EngineSettings settings, @Nullable Shelf shelf) {
        this(settings, shelf, new Counts());
    }

    private Engine(EngineSettings settings, @Nullable Shelf shelf, Counts counts) {
        this.counts = counts;
        this.watch = settings.watch();
        MemoryTier memory = new MemoryTier(settings.memory(), settings.largestInMemory(), stamps, watch);
        this.tiers = new Tiers(memory, shelf, stamps, watch, new Work(settings.work(), counts));
        this.flights = new Flights(stamps, watch);
        if (shelf != null) {
            shelf.forEach(key -> stamps.ask(key.resource()));
        }
    }

    /**
     * Opens an engine. A folder that cannot be used costs the tier on disk, which is counted and logged, and nothing else.
     *
     * @param settings its bounds, and what it works with
     * @return the engine
     */
    public static Engine open(EngineSettings settings) {
        Counts counts = new Counts();
        EngineSettings.Disk disk = settings.disk();
        return new Engine(settings, disk == null ? null : shelf(disk, counts), counts);
    }

    private static @Nullable Shelf shelf(EngineSettings.Disk disk, Counts counts) {
        try {
            return DiskShelf.open(disk);
        } catch (IOException | RuntimeException e) {
            counts.withoutDisk(disk.folder(), e);
            return null;
        }
    }

    /**
     * Answers a read, each subscription anew.
     *
     * @param read what is wanted
     * @return the answer
     */
    public Mono<CachedAnswer> read(Read read) {
        return Mono.deferContextual(context -> {
                    Delivery delivery = new Delivery();
                    Wish wish = new Wish(read, watch.now(), false, context);
                    return (closed ? alone(read, CacheOutcome.MISS) : lookUp(wish))
                            .doOnNext(delivery::give)
                            .doOnCancel(delivery::leave);
                })
                .doOnNext(answer -> counts.read(answer.outcome()))
                .doOnDiscard(Answer.class, Answer::close)
                .cast(CachedAnswer.class);
    }

    private Mono<Answer> lookUp(Wish wish) {
        int ended = flights.ended(wish.key());
        return tiers.find(wish.key())
                .flatMap(held -> judge(wish, held, ended))
                .switchIfEmpty(Mono.defer(() -> ask(wish, null, false, ended)));
    }

    private Mono<Answer> judge(Wish wish, Held held, int ended) {
        Head head = held.head();
        Freshness freshness = wish.read().freshness();
        Moment now = watch.now();
        if (!stamps.hold(wish.key().resource(), head.stamp(), now)) {
            return ask(wish, held, false, ended);
        }
        if (head.stamp().ofThisProcess() && !head.isPart()) {
            if (isWithin(head.absent() ? freshness.negative() : freshness.window(), head, now)) {
                return Mono.just(answer(CacheOutcome.HIT, head, held.passOn()));
            }
            if (mayBeStale(freshness.staleWhileRevalidating(), freshness, head, now)) {
                refresh(wish, now);
                return Mono.just(answer(CacheOutcome.STALE, head, held.passOn()));
            }
        }
        boolean standsIn = mayBeStale(freshness.staleIfError(), freshness, head, now);
        if (standsIn && outages.remembers(wish.key(), now)) {
            return Mono.just(answer(CacheOutcome.STALE, head, held.passOn()));
        }
        return ask(wish, held, standsIn, ended);
    }

    private static boolean isWithin(Duration bound, Head head, Moment now) {
        return age(head, now).compareTo(bound) < 0;
    }

    private static boolean mayBeStale(Duration bound, Freshness freshness, Head head, Moment now) {
        return !bound.isZero()
                && !head.absent()
                && age(head, now).minus(freshness.window()).compareTo(bound) < 0;
    }

    private static Duration age(Head head, Moment now) {
        return Duration.ofNanos(head.stamp().begun().ageNanos(now));
    }

    /** A load that something old may stand in for tries once. */
    private Mono<Answer> ask(Wish wish, @Nullable Held held, boolean once, int ended) {
        return join(wish, held, once, ended)
                .flatMap(ticket -> redeem(wish.read(), ticket))
                .onErrorResume(failure -> failed(wish, failure));
    }

    private Mono<Ticket> join(Wish wish, @Nullable Held held, boolean once, int ended) {
        Moment now = watch.now();
        return flights.join(new Flights.Boarding(
                wish.key(),
                wish.terms(once),
                wish.leading(now),
                wish.following(now),
                stamp -> load(wish.read(), held, once, stamp, ended),
                () -> {
                    if (held != null) {
                        held.release();
                    }
                }));
    }

    /** What a load has brought that ended between the look into the cache and now need not be asked for again. */
    private Mono<Landing> load(Read read, @Nullable Held held, boolean once, Stamp stamp, int ended) {
        Mono<Landing> load = Mono.defer(() -> new Load(read, held, once, stamp, tiers, stamps).run());
        return flights.ended(read.key()) == ended
                ? load
                : tiers.find(read.key())
                        .flatMap(now -> taken(read, held, now, stamp))
                        .switchIfEmpty(load);
    }

    private Mono<Landing> taken(Read read, @Nullable Held held, Held now, Stamp stamp) {
        Stamp found = now.head().stamp();
        boolean later = held == null || !found.equals(held.head().stamp());
        if (!later || !found.ofThisProcess() || !stamps.hold(read.key().resource(), found, stamp.begun())) {
            now.release();
            return Mono.empty();
        }
        if (held != null) {
            held.release();
        }
        Body body = now.passOn();
        Landing landing = Landing.of(CacheOutcome.COLLAPSED, now.head(), body);
        return Mono.just(body.shared() ? landing : landing.shelved());
    }

    private Mono<Answer> redeem(Read read, Ticket ticket) {
        outages.succeeded(read.key());
        Landing landing = ticket.landing();
        Head head = landing.head();
        Body body = landing.body();
        if (head != null && body != null && (ticket.first() || body.shared())) {
            boolean own = ticket.first() || landing.outcome() == CacheOutcome.STALE;
            return Mono.just(answer(own ? landing.outcome() : CacheOutcome.COLLAPSED, head, body));
        }
        Mono<Answer> alone =
                alone(read, landing.outcome() == CacheOutcome.REFRESHED ? CacheOutcome.REFRESHED : CacheOutcome.MISS);
        return landing.onShelf()
                ? tiers.findOnShelf(read.key())
                        .map(held -> answer(CacheOutcome.COLLAPSED, held.head(), held.passOn()))
                        .switchIfEmpty(alone)
                : alone;
    }

    /** A request for this reader only, of which nothing is kept. */
    private Mono<Answer> alone(Read read, CacheOutcome outcome) {
        return Mono.defer(() -> {
            Stamp stamp = stamps.stamp(read.key().resource(), watch.now());
            return new SignalledErrors<>(() -> read.loader().load(Conditions.NONE))
                    .map(loaded -> handThrough(loaded, stamp, outcome));
        });
    }

    private Answer handThrough(Loaded loaded, Stamp stamp, CacheOutcome outcome) {
        if (loaded instanceof Loaded.Found found) {
            Head head = Head.of(found.status(), found.headers(), stamp);
            return answer(outcome, head, OneTimeBody.transfer(found.length(), found.body()));
        }
        if (loaded instanceof Loaded.Absent absent) {
            return answer(outcome, Head.of(absent.status(), absent.headers(), stamp), MemoryBody.of(absent.body()));
        }
        throw Load.unasked();
    }

    /** What the cache has, if it may be given because the service cannot be asked. Another reader's failure is no reason to fail. */
    private Mono<Answer> failed(Wish wish, Throwable failure) {
        boolean another = failure instanceof HandedOver;
        Throwable cause = another ? failure.getCause() : failure;
        Mono<Answer> otherwise = another ? Mono.defer(() -> lookUp(wish.onceMore())) : Mono.error(failure);
        Read read = wish.read();
        if (read.freshness().staleIfError().isZero() || !read.unavailable().test(cause)) {
            return otherwise;
        }
        return tiers.find(wish.key()).flatMap(held -> stale(read, held)).switchIfEmpty(otherwise);
    }

    private Mono<Answer> stale(Read read, Held held) {
        Head head = held.head();
        Freshness freshness = read.freshness();
        Moment now = watch.now();
        if (stamps.hold(read.key().resource(), head.stamp(), now)
                && mayBeStale(freshness.staleIfError(), freshness, head, now)) {
            outages.failed(read.key(), now);
            return Mono.just(answer(CacheOutcome.STALE, head, held.passOn()));
        }
        held.release();
        return Mono.empty();
    }

    /** Asks behind a stale answer, on a thread of its own, for a loader may block. */
    private void refresh(Wish wish, Moment now) {
        CacheKey key = wish.key();
        if (backoffs.take(key, now)) {
            int ended = flights.ended(key);
            tiers.find(key)
                    .flatMap(held -> join(wish, held, false, ended))
                    .switchIfEmpty(Mono.defer(() -> join(wish, null, false, ended)))
                    .contextWrite(wish.context())
                    .subscribeOn(tiers.work().scheduler())
                    .subscribe(Engine::putBack, failure -> refreshFailed(key, failure), () -> backoffs.succeeded(key));
        }
    }

    private static void putBack(Ticket ticket) {
        if (ticket.first()) {
            ticket.landing().close();
        }
    }

    private void refreshFailed(CacheKey key, Throwable failure) {
        counts.refreshFailed(key.resource(), failure);
        backoffs.failed(key, watch.now());
    }

    private Answer answer(CacheOutcome outcome, Head head, Body body) {
        return new Answer(outcome, age(head, watch.now()), head, body);
    }

    /**
     * A write has ended.
     *
     * @param resource what was written
     * @param horizon for how long it may yet take effect
     */
    public void invalidate(String resource, Duration horizon) {
        Moment now = watch.now();
        stamps.invalidate(resource, end(horizon, now), now);
    }

    /**
     * A write of everything below a name has ended. Without an answer it may not have taken effect: then what is kept stays, to be asked about.
     *
     * @param prefix how the names begin
     * @param horizon for how long it may yet take effect
     */
    public void invalidateAll(String prefix, Duration horizon) {
        Moment now = watch.now();
        stamps.invalidateAll(prefix, end(horizon, now), now);
        if (horizon.isZero()) {
            tiers.removeAll(prefix);
        }
    }

    private static long end(Duration horizon, Moment now) {
        if (horizon.isZero()) {
            return 0;
        }
        boolean never = horizon.compareTo(Duration.ofNanos(Long.MAX_VALUE - now.nanos())) >= 0;
        return never ? Long.MAX_VALUE : now.nanos() + horizon.toNanos();
    }

    /**
     * What the cache has done.
     *
     * @param what which count
     * @return the count
     */
    public long count(Count what) {
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

    /**
     * How many reads have ended so.
     *
     * @param outcome how
     * @return the count
     */
    public long reads(CacheOutcome outcome) {
        return counts.reads(outcome);
    }

    /** Gives back memory and folder. Reads go to the service from now on, each alone. */
    @Override
    public void close() {
        closed = true;
        tiers.close();
    }
}

package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.engine.SharedLoad.LoadCompletion;
import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.CacheClock;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.InvalidationLog;
import io.stowline.caching.internal.load.CacheKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The loads in flight, at most one for each key that readers may join. Thread-safe. */
final class SharedLoads {

    private static final int STRIPES = 4096;

    private final ConcurrentMap<CacheKey, SharedLoad> flights = new ConcurrentHashMap<>();

    /** The numbers of ended loads, by the hash of their keys. A load is counted before it can no longer be joined. */
    private final AtomicIntegerArray ended = new AtomicIntegerArray(STRIPES);

    private final InvalidationLog stamps;
    private final CacheClock watch;

    SharedLoads(InvalidationLog stamps, CacheClock watch) {
        this.stamps = stamps;
        this.watch = watch;
    }

    /**
     * A reader of a key.
     *
     * @param terms how it requests if it leads
     * @param leading for how long it waits if it leads
     * @param following for how long it waits for the load of another one
     * @param load makes the load of its flight if it leads
     * @param unused is run if it does not lead, and when the flight that it leads has ended
     */
    record Boarding(
            CacheKey key,
            SharedLoad.Terms terms,
            WaitLimit leading,
            WaitLimit following,
            Function<SharedLoad, Mono<LoadCompletion>> load,
            Runnable unused) {}

    /** Joins the load of a key or begins one. A read that begins after a write has been acknowledged joins no load from before it. */
    Mono<LoadShare> join(Boarding who) {
        return Mono.<LoadShare>create(reader -> join(who, reader)).map(LoadShare::claim);
    }

    private void join(Boarding who, MonoSink<LoadShare> reader) {
        CacheKey key = who.key();
        ClockReading now = watch.now();
        SharedLoad[] begun = new SharedLoad[1];
        SharedLoad flight = flights.compute(key, (same, before) -> {
            if (before != null
                    && stamps.current(key.resource(), before.stamp(), now)
                    && before.board(reader, who.terms().patience())) {
                return before;
            }
            begun[0] = begin(who, now, reader);
            return begun[0];
        });
        boolean leads = flight == begun[0];
        wait(leads ? who.leading() : who.following(), flight, reader);
        if (leads) {
            flight.start(Mono.defer(() -> who.load().apply(flight)), reader.contextView());
        } else {
            who.unused().run();
        }
    }

    /** Returns a load that one reader leads and no other may join. */
    Mono<LoadShare> alone(Boarding who) {
        return Mono.<LoadShare>create(reader -> {
                    SharedLoad flight = begin(who, watch.now(), reader);
                    wait(who.leading(), flight, reader);
                    flight.start(Mono.defer(() -> who.load().apply(flight)), reader.contextView());
                })
                .map(LoadShare::claim);
    }

    private void wait(WaitLimit limit, SharedLoad flight, MonoSink<LoadShare> reader) {
        Disposable alarm = limit.set(flight, reader, watch);
        reader.onDispose(() -> {
            alarm.dispose();
            flight.leave(reader);
        });
    }

    private SharedLoad begin(Boarding who, ClockReading now, MonoSink<LoadShare> reader) {
        CacheKey key = who.key();
        SharedLoad flight = new SharedLoad(stamps.stamp(key.resource(), now), who.terms(), over -> {
            ended.incrementAndGet(stripe(key));
            flights.remove(key, over);
            who.unused().run();
        });
        flight.board(reader, who.terms().patience());
        return flight;
    }

    /** Returns the number of ended loads of the key's stripe: if this is another number later, a load may have ended in between. */
    int ended(CacheKey key) {
        return ended.get(stripe(key));
    }

    private static int stripe(CacheKey key) {
        int hash = key.hashCode();
        return (hash ^ hash >>> 16) & STRIPES - 1;
    }

    int size() {
        return flights.size();
    }
}

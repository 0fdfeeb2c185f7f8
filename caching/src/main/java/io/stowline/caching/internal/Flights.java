package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The loads under way, at most one for each key that readers may join. Thread-safe. */
final class Flights {

    private static final int STRIPES = 4096;

    private final ConcurrentMap<CacheKey, Flight> flights = new ConcurrentHashMap<>();

    /** How many loads have ended, by the hash of their keys. A load is counted before nobody can join it any more. */
    private final AtomicIntegerArray ended = new AtomicIntegerArray(STRIPES);

    private final Stamps stamps;
    private final Watch watch;

    Flights(Stamps stamps, Watch watch) {
        this.stamps = stamps;
        this.watch = watch;
    }

    /**
     * Joins the load of a key or begins one. A read that begins after a write has been acknowledged joins no load from before it.
     *
     * @param load makes the load if one is to begin
     * @param joined is run if another one is joined
     */
    Mono<Ticket> join(CacheKey key, Function<Stamp, Mono<Landing>> load, Runnable joined) {
        return Mono.<Ticket>create(reader -> join(key, load, joined, reader)).map(Ticket::claim);
    }

    private void join(CacheKey key, Function<Stamp, Mono<Landing>> load, Runnable joined, MonoSink<Ticket> reader) {
        Moment now = watch.now();
        Flight[] begun = new Flight[1];
        Flight flight = flights.compute(key, (same, before) -> {
            if (before != null && stamps.current(key.resource(), before.stamp(), now) && before.board(reader)) {
                return before;
            }
            begun[0] = begin(key, now, reader);
            return begun[0];
        });
        reader.onDispose(() -> flight.leave(reader));
        if (flight == begun[0]) {
            flight.start(load.apply(flight.stamp()), reader.contextView());
        } else {
            joined.run();
        }
    }

    private Flight begin(CacheKey key, Moment now, MonoSink<Ticket> reader) {
        Flight flight = new Flight(stamps.stamp(key.resource(), now), over -> {
            ended.incrementAndGet(stripe(key));
            flights.remove(key, over);
        });
        flight.board(reader);
        return flight;
    }

    /**
     * Tells apart when a key was looked up: if this is another number later, a load may have ended in between.
     *
     * @param key the key
     * @return the number
     */
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

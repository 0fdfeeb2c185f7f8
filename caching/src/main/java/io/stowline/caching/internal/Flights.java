package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The loads under way, at most one for each key that readers may join. Thread-safe. */
final class Flights {

    private final ConcurrentMap<CacheKey, Flight> flights = new ConcurrentHashMap<>();
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
        Flight flight = new Flight(stamps.stamp(key.resource(), now), over -> flights.remove(key, over));
        flight.board(reader);
        return flight;
    }

    int size() {
        return flights.size();
    }
}

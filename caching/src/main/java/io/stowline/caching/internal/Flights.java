package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The loads in flight, at most one for each key that readers may join. Thread-safe. */
final class Flights {

    private static final int STRIPES = 4096;

    private final ConcurrentMap<CacheKey, Flight> flights = new ConcurrentHashMap<>();

    /** How many loads have ended, by the hash of their keys. A load is counted before it can no longer be joined. */
    private final AtomicIntegerArray ended = new AtomicIntegerArray(STRIPES);

    private final Stamps stamps;
    private final Watch watch;

    Flights(Stamps stamps, Watch watch) {
        this.stamps = stamps;
        this.watch = watch;
    }

    /**
     * A reader of a key.
     *
     * @param key the key
     * @param terms how it asks if it leads
     * @param leading for how long it waits if it leads
     * @param following for how long it waits for the load of another one
     * @param load makes the load if it leads
     * @param unused is run if it does not lead, and when the flight that it leads has ended
     */
    record Boarding(
            CacheKey key,
            Flight.Terms terms,
            Duration leading,
            Duration following,
            Function<Stamp, Mono<Landing>> load,
            Runnable unused) {}

    /** Joins the load of a key or begins one. A read that begins after a write has been acknowledged joins no load from before it. */
    Mono<Ticket> join(Boarding who) {
        return Mono.<Ticket>create(reader -> join(who, reader)).map(Ticket::claim);
    }

    private void join(Boarding who, MonoSink<Ticket> reader) {
        CacheKey key = who.key();
        Moment now = watch.now();
        Flight[] begun = new Flight[1];
        Flight flight = flights.compute(key, (same, before) -> {
            if (before != null
                    && stamps.current(key.resource(), before.stamp(), now)
                    && before.board(reader, who.terms().patience())) {
                return before;
            }
            begun[0] = begin(who, now, reader);
            return begun[0];
        });
        boolean leads = flight == begun[0];
        Disposable alarm = alarm(leads ? who.leading() : who.following(), reader);
        reader.onDispose(() -> {
            alarm.dispose();
            flight.leave(reader);
        });
        if (leads) {
            flight.start(Mono.defer(() -> who.load().apply(flight.stamp())), reader.contextView());
        } else {
            who.unused().run();
        }
    }

    private Disposable alarm(Duration wait, MonoSink<Ticket> reader) {
        if (wait.equals(Flight.Terms.ENDLESS)) {
            return Disposables.disposed();
        }
        try {
            return watch.timer()
                    .schedule(
                            () -> reader.error(new TimeoutException("no answer within the time of this reader")),
                            wait.toNanos(),
                            TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            return Disposables.disposed();
        }
    }

    private Flight begin(Boarding who, Moment now, MonoSink<Ticket> reader) {
        CacheKey key = who.key();
        Flight flight = new Flight(stamps.stamp(key.resource(), now), who.terms(), over -> {
            ended.incrementAndGet(stripe(key));
            flights.remove(key, over);
            who.unused().run();
        });
        flight.board(reader, who.terms().patience());
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

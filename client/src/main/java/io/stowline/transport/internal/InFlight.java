package io.stowline.transport.internal;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Counts the operations under way, so that closing can wait for them. The sign bit of the count says that it is closed. */
final class InFlight {

    private static final long CLOSED = Long.MIN_VALUE;

    private final AtomicLong state = new AtomicLong();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private final Set<Runnable> ends = ConcurrentHashMap.newKeySet();
    private volatile boolean abandoned;

    void enter() {
        if (state.getAndIncrement() < 0) {
            leave();
            throw new IllegalStateException("this Stowline is closed");
        }
    }

    void leave() {
        if (state.decrementAndGet() == CLOSED) {
            drained.tryEmitEmpty();
        }
    }

    /** A stream, counted while it runs; refused once this is closed. */
    <A> Flux<A> count(Flux<A> stream) {
        return Flux.defer(() -> {
            enter();
            return stream.doFinally(signal -> leave());
        });
    }

    /** Has {@link #abandon} end something that has entered. */
    void add(Runnable end) {
        ends.add(end);
    }

    void remove(Runnable end) {
        ends.remove(end);
    }

    /** Ends all that is under way: once the timer has stopped, a back-off would never end by itself. */
    void abandon() {
        abandoned = true;
        ends.forEach(Runnable::run);
    }

    boolean abandoned() {
        return abandoned;
    }

    /** From now on nothing enters; ends when nothing is under way any more. */
    Mono<Void> close() {
        if (state.getAndUpdate(seen -> seen | CLOSED) == 0) {
            drained.tryEmitEmpty();
        }
        return drained.asMono();
    }
}

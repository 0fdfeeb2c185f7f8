package io.stowline.transport.internal.concurrent;

import io.stowline.batching.ClosedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * Counts the operations in flight, so that closing can wait for them. The sign bit of the count says that it is closed. An operation
 * that has entered stays able to send until it ends: its requests find this in their Reactor context and are its parts.
 */
public final class InFlightRegistry {

    private static final long CLOSED = Long.MIN_VALUE;

    private final AtomicLong state = new AtomicLong();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private final Sinks.Empty<Void> givenUp = Sinks.empty();
    private final Set<Runnable> requests = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> operations = ConcurrentHashMap.newKeySet();
    private volatile boolean abandoned;

    public void enter() {
        if (state.getAndIncrement() < 0) {
            leave();
            throw new ClosedException("this Stowline is closed");
        }
    }

    /** Enters, too, once this is closed, if it is a part of what is in flight. */
    public void enter(ContextView context) {
        if (holds(context)) {
            state.getAndIncrement();
        } else {
            enter();
        }
    }

    /** Whether what runs in this context is a part of an operation that has entered here. */
    public boolean holds(ContextView context) {
        return OperationScope.inFlight(context) == this;
    }

    public void leave() {
        if (state.decrementAndGet() == CLOSED) {
            drained.tryEmitEmpty();
        }
    }

    /** A stream, counted while it runs; refused once this is closed, and ended with an error by {@link #abandon}. */
    public <A> Flux<A> count(Flux<A> stream) {
        return Flux.deferContextual(context -> {
            enter(context);
            return stream.takeUntilOther(givenUp.asMono().then(Mono.error(InFlightRegistry::closedTooEarly)))
                    .doFinally(signal -> leave());
        });
    }

    private static ClosedException closedTooEarly() {
        return new ClosedException("this Stowline was closed before the body had been read");
    }

    /** A wait without a request; {@link #abandon} ends it empty. */
    public <A> Mono<A> unlessAbandoned(Mono<A> wait) {
        return wait.takeUntilOther(givenUp.asMono());
    }

    /** Has {@link #abandon} end a request that has entered. */
    public void add(Runnable end) {
        requests.add(end);
    }

    public void remove(Runnable end) {
        requests.remove(end);
    }

    /** Has {@link #abandon} end an operation that the end of its requests and waits has not ended. */
    public void addOperation(Runnable end) {
        operations.add(end);
    }

    public void removeOperation(Runnable end) {
        operations.remove(end);
    }

    /** Ends all that is in flight: once the timer has stopped, a back-off would never end by itself. */
    public void abandon() {
        abandoned = true;
        requests.forEach(Runnable::run);
        givenUp.tryEmitEmpty();
        operations.forEach(Runnable::run);
    }

    public boolean abandoned() {
        return abandoned;
    }

    /** From now on nothing enters; ends when nothing is in flight. */
    public Mono<Void> close() {
        if (state.getAndUpdate(seen -> seen | CLOSED) == 0) {
            drained.tryEmitEmpty();
        }
        return drained.asMono();
    }
}

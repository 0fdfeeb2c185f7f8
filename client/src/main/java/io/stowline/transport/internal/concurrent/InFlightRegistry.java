package io.stowline.transport.internal.concurrent;

import io.stowline.error.ClosedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * A registry that counts the operations in flight, so that closing can wait for them. The sign bit of the count marks that it is closed. An operation
 * that has entered stays able to send until it ends: its requests find this in their Reactor context and are its parts.
 */
public final class InFlightRegistry {

    private static final long CLOSED = Long.MIN_VALUE;

    private final String account;
    private final AtomicLong state = new AtomicLong();
    private final Lazy<Sinks.Empty<Void>> drained = end();
    private final Lazy<Sinks.Empty<Void>> closed = end();
    private final Lazy<Sinks.Empty<Void>> givenUp = end();
    private final Set<Runnable> requests = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> operations = ConcurrentHashMap.newKeySet();
    private final AwaitedCode.Frame outermost = new AwaitedCode.Frame(this, null);
    private volatile boolean abandoned;

    public InFlightRegistry() {
        this("");
    }

    /**
     * A registry of one client.
     *
     * @param account the account that errors name; empty for none
     */
    public InFlightRegistry(String account) {
        this.account = account;
    }

    private static Lazy<Sinks.Empty<Void>> end() {
        return new Lazy<>(Sinks::empty);
    }

    /** Returns the frame of a thread that runs code within no other operation. */
    AwaitedCode.Frame outermost() {
        return outermost;
    }

    public void enter() {
        if (state.getAndIncrement() < 0) {
            leave();
            throw refusal();
        }
    }

    /** Returns the error of an entry after the close. */
    public ClosedException refusal() {
        return new ClosedException("this Stowline is closed" + (account.isEmpty() ? "" : " (account " + account + ")"));
    }

    /** Returns whether new entries are refused. */
    public boolean isClosed() {
        return state.get() < 0;
    }

    /** Enters, too, once this is closed, if it is a part of what is in flight. */
    public void enter(ContextView context) {
        if (holds(context)) {
            state.getAndIncrement();
        } else {
            enter();
        }
    }

    /** Returns whether this context belongs to an operation that has entered here. */
    public boolean holds(ContextView context) {
        return OperationScope.inFlight(context) == this;
    }

    public void leave() {
        if (state.decrementAndGet() == CLOSED) {
            drained.get().tryEmitEmpty();
        }
    }

    /**
     * Returns a stream, counted during its run; refused once this is closed, and ended with an error by {@link
     * #abandon}.
     */
    public <A> Flux<A> count(Flux<A> stream) {
        return Flux.deferContextual(context -> {
            enter(context);
            AtomicBoolean left = new AtomicBoolean();
            Runnable leaving = () -> {
                if (left.compareAndSet(false, true)) {
                    leave();
                }
            };
            return leavingIfThrown(
                            stream.takeUntilOther(whenAbandoned().then(Mono.error(InFlightRegistry::closedTooEarly))),
                            leaving)
                    .doFinally(signal -> leaving.run());
        });
    }

    /** No signal follows an error that a subscription throws. */
    private static <A> Flux<A> leavingIfThrown(Flux<A> stream, Runnable leaving) {
        return new FluxOperator<>(stream) {
            @Override
            public void subscribe(CoreSubscriber<? super A> actual) {
                try {
                    source.subscribe(actual);
                } catch (Throwable thrown) {
                    leaving.run();
                    throw thrown;
                }
            }
        };
    }

    private static ClosedException closedTooEarly() {
        return new ClosedException("this Stowline was closed before the body had been read");
    }

    /** Returns a wait without a request; {@link #abandon} ends it empty. */
    public <A> Mono<A> unlessAbandoned(Mono<A> wait) {
        return wait.takeUntilOther(whenAbandoned());
    }

    /**
     * Returns a wait without a request; an error once the next request of the waiting caller is refused: with {@link #close}, or with {@link
     * #abandon} inside an operation in flight.
     */
    public <A> Mono<A> unlessClosed(Mono<A> wait) {
        return Mono.deferContextual(context -> wait.takeUntilOther(
                (holds(context) ? whenAbandoned() : closed.get().asMono()).then(Mono.error(this::refusal))));
    }

    /** Ends with {@link #abandon}. */
    public Mono<Void> whenAbandoned() {
        return givenUp.get().asMono();
    }

    /**
     * Ends all that is in flight: once the timer has stopped, a back-off would never end by itself. Requests end first, then waits, then
     * the operations that neither has ended.
     */
    public void abandon() {
        abandoned = true;
        requests.forEach(Runnable::run);
        givenUp.get().tryEmitEmpty();
        operations.forEach(Runnable::run);
    }

    /** Returns the work that has entered and not ended: whole operations, or else requests. */
    Set<Runnable> running(boolean operation) {
        return operation ? operations : requests;
    }

    /** Returns how many operations are in flight. */
    public long size() {
        return state.get() & ~CLOSED;
    }

    public boolean abandoned() {
        return abandoned;
    }

    /** Refuses new entries; the result ends when no operation is in flight. */
    public Mono<Void> close() {
        if (state.getAndUpdate(seen -> seen | CLOSED) == 0) {
            drained.get().tryEmitEmpty();
        }
        closed.get().tryEmitEmpty();
        return drained.get().asMono();
    }
}

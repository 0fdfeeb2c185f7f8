package io.stowline.transport.internal.concurrent;

import io.stowline.error.ClosedException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A registry that counts the operations in flight, so that closing can wait for them. The sign bit of the count marks that it is closed. An operation
 * that has entered stays able to send until it ends: its requests find this in their Reactor context and are its parts.
 */
public final class InFlightRegistry {

    private static final long CLOSED = Long.MIN_VALUE;

    private final String account;
    private final AtomicLong state = new AtomicLong();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private final Sinks.Empty<Void> givenUp = Sinks.empty();
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
            drained.tryEmitEmpty();
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
                (holds(context) ? whenAbandoned() : closed.asMono()).then(Mono.error(this::refusal))));
    }

    /** Ends with {@link #abandon}. */
    public Mono<Void> whenAbandoned() {
        return givenUp.asMono();
    }

    /**
     * Ends all that is in flight: once the timer has stopped, a back-off would never end by itself. Requests end first, then waits, then
     * the operations that neither has ended.
     */
    public void abandon() {
        abandoned = true;
        requests.forEach(Runnable::run);
        givenUp.tryEmitEmpty();
        operations.forEach(Runnable::run);
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
            drained.tryEmitEmpty();
        }
        closed.tryEmitEmpty();
        return drained.asMono();
    }

    /**
     * One subscriber of work that has entered. Its result, its cancellation and {@link #abandon} race for its end. It leaves once its
     * subscriber knows the end.
     */
    public abstract static class InFlightEntry<A> implements CoreSubscriber<A>, Subscription, Runnable {

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<InFlightEntry> OVER =
                AtomicIntegerFieldUpdater.newUpdater(InFlightEntry.class, "over");

        private final InFlightRegistry registry;
        private final Set<Runnable> running;
        private final CoreSubscriber<? super A> actual;
        private volatile int over;
        private volatile boolean subscribed;
        private @Nullable Subscription upstream;

        /**
         * Work that has entered.
         *
         * @param operation whether it is a whole operation, or else a request
         */
        protected InFlightEntry(InFlightRegistry registry, boolean operation, CoreSubscriber<? super A> actual) {
            this.registry = registry;
            this.running = operation ? registry.operations : registry.requests;
            this.actual = actual;
        }

        /** Receives the result of the work, if there is one, before the subscriber. */
        protected abstract void succeeded(@Nullable A result);

        /** Receives the failure of the work, before the subscriber. */
        protected abstract void failed(Throwable error);

        /** Receives the cancel of the work, which runs until {@link #stop}. */
        protected abstract void cancelled();

        /** Returns the error of work that the client gives up. */
        protected abstract Throwable abandoned();

        /** Returns the error for the subscriber in place of this one. */
        protected Throwable meaning(Throwable error) {
            return error;
        }

        /** Discards a result that came after the end. */
        protected abstract void discard(A late);

        /** Ends the work by an error that its chain cannot signal; false if it has ended. */
        protected boolean broken(RuntimeException error) {
            return fail(error);
        }

        /** Subscribes to the work. An error that the subscription throws ends the work: no signal follows it. */
        public final void begin(Publisher<? extends A> work) {
            try {
                work.subscribe(this);
            } catch (Throwable thrown) {
                if (upstream == null) {
                    onSubscribe(Operators.emptySubscription());
                }
                if (!broken(UserCode.carrier(thrown, "its beginning threw "))) {
                    FatalErrors.thrown(thrown, actual.currentContext());
                }
            }
        }

        /** Does the last step, just before the registry forgets the work. */
        protected void leaving() {}

        /** Cancels the work itself. */
        protected final void stop() {
            upstream().cancel();
        }

        /**
         * Returns the exception of the cancel, which must keep neither the subscriber nor the rest of {@link #abandon}
         * from their end.
         */
        private @Nullable Throwable stopped() {
            try {
                stop();
                return null;
            } catch (Throwable thrown) {
                return thrown;
            }
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public final void onSubscribe(Subscription subscription) {
            upstream = subscription;
            running.add(this);
            actual.onSubscribe(this);
            subscribed();
        }

        /** Work that came in after the loop of abandon(), or that this loop has passed over, ends itself. */
        private boolean subscribed() {
            if (!subscribed) {
                subscribed = true;
            }
            if (registry.abandoned()) {
                run();
                return true;
            }
            return false;
        }

        @Override
        public final void request(long n) {
            // Demand shows that the subscriber has its subscription, although the call that gives it may last as long
            // as the work.
            if (subscribed || !subscribed()) {
                upstream().request(n);
            }
        }

        @Override
        public final void cancel() {
            if (ends()) {
                try {
                    cancelled();
                } finally {
                    leave();
                }
            }
        }

        @Override
        public final void run() {
            // A subscriber without its subscription would not see the error.
            if (subscribed && ends()) {
                try {
                    Throwable thrown = stopped();
                    Throwable error = abandoned();
                    if (thrown != null) {
                        error.addSuppressed(thrown);
                    }
                    actual.onError(error);
                } finally {
                    leave();
                }
            }
        }

        /** Ends the work with an error that its chain cannot give; false if it has ended. */
        protected final boolean fail(RuntimeException error) {
            if (!ends()) {
                return false;
            }
            try {
                Throwable thrown = stopped();
                if (thrown != null) {
                    error.addSuppressed(thrown);
                }
                failed(error);
                actual.onError(error);
            } finally {
                leave();
            }
            return true;
        }

        @Override
        public final void onNext(A result) {
            if (!ends()) {
                discard(result);
                return;
            }
            try {
                succeeded(result);
                actual.onNext(result);
                actual.onComplete();
            } catch (Throwable thrown) {
                FatalErrors.thrown(thrown, actual.currentContext());
            } finally {
                leave();
            }
        }

        @Override
        public final void onError(Throwable error) {
            if (ends()) {
                try {
                    Throwable end = meaning(error);
                    failed(end);
                    actual.onError(end);
                } catch (Throwable thrown) {
                    FatalErrors.thrown(thrown, actual.currentContext());
                } finally {
                    leave();
                }
            }
        }

        @Override
        public final void onComplete() {
            if (ends()) {
                try {
                    succeeded(null);
                    actual.onComplete();
                } catch (Throwable thrown) {
                    FatalErrors.thrown(thrown, actual.currentContext());
                } finally {
                    leave();
                }
            }
        }

        private boolean ends() {
            if (over != 0 || !OVER.compareAndSet(this, 0, 1)) {
                return false;
            }
            running.remove(this);
            return true;
        }

        private void leave() {
            leaving();
            registry.leave();
        }

        private Subscription upstream() {
            return Objects.requireNonNull(upstream, "subscribed to");
        }
    }
}

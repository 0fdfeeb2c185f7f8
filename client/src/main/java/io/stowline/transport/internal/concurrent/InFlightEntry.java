package io.stowline.transport.internal.concurrent;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One subscriber of work that has entered an {@link InFlightRegistry}. Its result, its cancellation and {@link InFlightRegistry#abandon} race for its end. It leaves once its
 * subscriber knows the end.
 */
public abstract class InFlightEntry<A> implements CoreSubscriber<A>, Subscription, Runnable {

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<InFlightEntry> OVER =
            AtomicIntegerFieldUpdater.newUpdater(InFlightEntry.class, "over");

    private final InFlightRegistry registry;
    private final Set<Runnable> running;
    private final CoreSubscriber<? super A> actual;
    private volatile int over;
    private volatile boolean subscribed;
    private @Nullable Subscription upstream;

    /** A number at random: that of an object by itself costs a call of the virtual machine. */
    private final int hash = ThreadLocalRandom.current().nextInt();

    /**
     * Work that has entered.
     *
     * @param operation whether it is a whole operation, or else a request
     */
    protected InFlightEntry(InFlightRegistry registry, boolean operation, CoreSubscriber<? super A> actual) {
        this.registry = registry;
        this.running = registry.running(operation);
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
     * Returns the exception of the cancel, which must keep neither the subscriber nor the rest of {@link InFlightRegistry#abandon}
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
    public final int hashCode() {
        return hash;
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

package io.stowline.transport.internal;

import io.stowline.error.StorageInterruptedException;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.Ended;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Counts operations as in flight, and tells the application's listener of them where there is one. Thread-safe. */
public final class Observing {

    private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

    private final @Nullable StowlineListener listener;
    private final Scheduler clock;
    private final String account;
    private final String service;
    private final @Nullable ContextView whole;
    private final InFlight inFlight;
    private final boolean counts;

    Observing(@Nullable StowlineListener listener, Scheduler clock, String account, String service) {
        this.listener = listener;
        this.clock = clock;
        this.account = account;
        this.service = service;
        this.whole = null;
        this.inFlight = new InFlight();
        this.counts = true;
    }

    private Observing() {
        this.listener = null;
        this.clock = Schedulers.immediate();
        this.account = "";
        this.service = "";
        this.whole = null;
        this.inFlight = new InFlight();
        this.counts = false;
    }

    /** The same for parts of an operation, whose context this is. */
    private Observing(Observing other, ContextView whole) {
        this.listener = other.listener;
        this.clock = other.clock;
        this.account = other.account;
        this.service = other.service;
        this.whole = whole;
        this.inFlight = other.inFlight;
        this.counts = other.counts;
    }

    /** Tells nobody, and counts requests only. */
    static Observing none() {
        return new Observing();
    }

    /** What is in flight of the service. */
    InFlight inFlight() {
        return inFlight;
    }

    /**
     * The work of an operation, of which the listener is told. What is a part of another operation is told as that.
     *
     * @param name the caller's verb
     * @param resource what it is asked of; made only if somebody listens
     * @param work the work
     * @param <A> its result
     * @return the same work
     */
    public <A> Mono<A> operation(String name, Supplier<String> resource, Mono<A> work) {
        return operation(name, null, resource, work);
    }

    /**
     * The same for a read of a table.
     *
     * @param name the caller's verb
     * @param queryClass what the service looks at for it, or {@code null} for any other operation
     * @param resource what it is asked of; made only if somebody listens
     * @param work the work
     * @param <A> its result
     * @return the same work
     */
    public <A> Mono<A> operation(String name, @Nullable String queryClass, Supplier<String> resource, Mono<A> work) {
        if (whole != null) {
            return work.contextWrite(whole);
        }
        if (!counts) {
            return work;
        }
        StowlineListener told = listener;
        return new Observed<>(
                work,
                inFlight,
                seen -> told == null || seen.hasKey(Told.KEY) ? null : begin(told, name, queryClass, resource, seen),
                () -> Failures.closed(name, resource.get()));
    }

    /**
     * The same for work with many results.
     *
     * @param name the caller's verb
     * @param resource what it is asked of; made only if somebody listens
     * @param work the work
     * @param <A> the type of its results
     * @return the same work
     */
    public <A> Flux<A> operations(String name, Supplier<String> resource, Flux<A> work) {
        if (whole != null) {
            return work.contextWrite(whole);
        }
        StowlineListener told = listener;
        if (told == null) {
            return work;
        }
        return Flux.deferContextual(seen -> {
            if (seen.hasKey(Told.KEY)) {
                return work;
            }
            Told one = begin(told, name, null, resource, seen);
            return work.doOnComplete(() -> one.succeeded(null))
                    .doOnError(one::failed)
                    .doOnCancel(one::cancelled)
                    .contextWrite(one::context);
        });
    }

    /** The same for work that a thread drives through several calls, which are made by what it is given. */
    <A> A driven(String name, Supplier<String> resource, ContextView seen, Function<Observing, A> work) {
        if (whole != null || !counts) {
            return work.apply(this);
        }
        inFlight.enter(seen);
        try {
            return counted(name, resource, seen, work);
        } finally {
            inFlight.leave();
        }
    }

    private <A> A counted(String name, Supplier<String> resource, ContextView seen, Function<Observing, A> work) {
        Context own = Context.of(seen).put(InFlight.KEY, inFlight);
        StowlineListener told = listener;
        if (told == null) {
            return work.apply(new Observing(this, own));
        }
        Told one = begin(told, name, null, resource, seen);
        try {
            A result = work.apply(new Observing(this, one.context(own)));
            one.succeeded(result);
            return result;
        } catch (StorageInterruptedException e) {
            one.cancelled();
            throw e;
        } catch (RuntimeException | Error e) {
            one.failed(e);
            throw e;
        }
    }

    /** Tells of the attempts of a request, as a part of the operation in this context. */
    void attempted(ContextView context, Call<?> call, Ended<?> ended) {
        if (listener != null && context.getOrDefault(Told.KEY, null) instanceof Told one) {
            one.attempted(new RequestEnd(call.clientRequestId(), ended.log(), ended.stop()));
        }
    }

    boolean on() {
        return listener != null;
    }

    private Told begin(
            StowlineListener told,
            String name,
            @Nullable String queryClass,
            Supplier<String> resource,
            ContextView seen) {
        OperationListener one = OperationListener.NONE;
        try {
            one = told.started(new OperationInfo(account, service, name, resource.get(), queryClass), seen);
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
        return new Told(one, clock);
    }
}

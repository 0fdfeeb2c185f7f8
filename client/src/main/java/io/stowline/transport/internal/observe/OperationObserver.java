package io.stowline.transport.internal.observe;

import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.UnreachableException;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationInfo.HandledMessage;
import io.stowline.observe.OperationListener;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.internal.engine.RetryResult;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.ListenerCalls;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.observe.ObservedOperation.ObservedScope;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestTarget;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** An observer that counts operations as in flight, and reports them to the application's listener where there is one. Thread-safe. */
public final class OperationObserver {

    private static final Logger LOG = LoggerFactory.getLogger(OperationObserver.class);

    private final @Nullable StowlineListener listener;
    private final @Nullable Consumer<AttemptEvent> attempts;
    private final Scheduler clock;
    private final String account;
    private final String service;
    private final @Nullable URI endpoint;
    private final @Nullable ContextView whole;
    private final InFlightRegistry inFlight;
    private final boolean counts;

    /**
     * Reports to a listener.
     *
     * @param endpoint the endpoint of the service, or {@code null}
     * @param inFlight counts the operations; one for all services of a client, since an operation may use several
     */
    public OperationObserver(
            @Nullable StowlineListener listener,
            Scheduler clock,
            String account,
            String service,
            @Nullable URI endpoint,
            InFlightRegistry inFlight) {
        this(listener, clock, account, service, endpoint, null, inFlight, true);
    }

    /**
     * Reports operations on a service of an account to a listener.
     *
     * @param inFlight counts the operations
     */
    public static OperationObserver of(
            StorageAccount account,
            Service service,
            @Nullable StowlineListener listener,
            Scheduler clock,
            InFlightRegistry inFlight) {
        URI endpoint = account.endpoints().get(service);
        return new OperationObserver(listener, clock, account.name(), service.host(), endpoint, inFlight);
    }

    private OperationObserver(
            @Nullable StowlineListener listener,
            Scheduler clock,
            String account,
            String service,
            @Nullable URI endpoint,
            @Nullable ContextView whole,
            InFlightRegistry inFlight,
            boolean counts) {
        this.listener = listener;
        this.attempts = listener == null ? null : listener::onAttemptEnd;
        this.clock = clock;
        this.account = account;
        this.service = service;
        this.endpoint = endpoint;
        this.whole = whole;
        this.inFlight = inFlight;
        this.counts = counts;
    }

    /** Returns the observer of parts of an operation, whose context this is. */
    private OperationObserver within(Context operation) {
        return new OperationObserver(listener, clock, account, service, endpoint, operation, inFlight, counts);
    }

    /** Reports to no listener, and counts requests only. */
    public static OperationObserver none() {
        return new OperationObserver(null, Schedulers.immediate(), "", "", null, null, new InFlightRegistry(), false);
    }

    /** Returns the client's operations in flight. */
    public InFlightRegistry inFlight() {
        return inFlight;
    }

    /**
     * Returns the work of an operation, reported to the listener.
     *
     * @param name the caller's verb
     * @param resource the resource of the operation; made only for a listener
     */
    public <A> Mono<A> operation(String name, Supplier<String> resource, Mono<A> work) {
        return operation(name, null, resource, work);
    }

    /**
     * Returns the work of an operation on a table, reported to the listener.
     *
     * @param name the caller's verb
     * @param queryClass the part of the table that the service searches, or {@code null} for any other operation
     * @param resource the resource of the operation; made only for a listener
     */
    public <A> Mono<A> operation(String name, @Nullable String queryClass, Supplier<String> resource, Mono<A> work) {
        if (whole != null) {
            return work.contextWrite(whole);
        }
        if (!counts) {
            return work;
        }
        return new ObservedOperation.ObservedMono<>(work, this, name, queryClass, resource);
    }

    /**
     * Returns the listener's side of an operation that begins, or {@code null} if there is none or the operation is a
     * part of another.
     */
    @Nullable
    ObservedOperation begin(String name, @Nullable String queryClass, Supplier<String> resource, ContextView seen) {
        StowlineListener active = listener;
        return active == null || ObservedScope.observed(seen) != null
                ? null
                : begin(active, name, queryClass, resource, seen);
    }

    /** Runs work of the library that no caller waits for: the operations that begin in it have no parent. */
    public void detached(Runnable work) {
        StowlineListener active = listener;
        if (active == null) {
            work.run();
        } else {
            DetachedMono.run(active, work);
        }
    }

    /** Returns work that no caller waits for: the operations that begin with its subscription have no parent. */
    public <A> Mono<A> detached(Mono<A> work) {
        StowlineListener active = listener;
        return active == null ? work : new DetachedMono<>(work, active);
    }

    /** Returns the context of a part of the operation in this one, which an engine sends in the place of its caller. */
    public static Context part(ContextView operation) {
        return ObservedScope.part(operation);
    }

    /** Runs work of an operation that a thread drives through several calls, made by the observer that it gets. */
    public <A> A driven(String name, Supplier<String> resource, ContextView seen, Function<OperationObserver, A> work) {
        if (whole != null || !counts) {
            return work.apply(this);
        }
        inFlight.enter(seen);
        try {
            return AwaitedCode.call(inFlight, () -> counted(name, resource, seen, work));
        } finally {
            inFlight.leave();
        }
    }

    private <A> A counted(
            String name, Supplier<String> resource, ContextView seen, Function<OperationObserver, A> work) {
        StowlineListener active = listener;
        if (active == null) {
            return work.apply(within(ObservedScope.begin(Context.of(seen), inFlight, null)));
        }
        ObservedOperation operation = begin(active, name, null, resource, seen);
        try {
            A result = work.apply(within(ObservedScope.begin(Context.of(seen), inFlight, operation)));
            operation.succeeded(result);
            return result;
        } catch (StorageInterruptedException e) {
            operation.cancelled();
            throw e;
        } catch (Throwable e) {
            operation.failed(e);
            throw e;
        }
    }

    /**
     * Reports code of the application that begins now like an operation. Its calls of the client are reported as
     * operations beside it, and it does not count as in flight.
     *
     * @param name the verb
     * @param resource the resource that it works on; made only for a listener
     * @param messages the messages that it handles; made only for a listener
     */
    public ObservedCode code(String name, Supplier<String> resource, Supplier<List<HandledMessage>> messages) {
        StowlineListener active = listener;
        return new ObservedCode(
                active == null
                        ? null
                        : begin(
                                active,
                                name,
                                () -> new OperationInfo(
                                        account, service, name, resource.get(), null, endpoint, messages.get()),
                                Context.empty()));
    }

    /** Returns the trace context for a message that the operation in this context sends. */
    public static Map<String, String> headers(ContextView context) {
        ObservedOperation operation = ObservedScope.observed(context);
        return operation == null ? Map.of() : operation.headers();
    }

    /** Code of the application whose end is reported. Thread-safe. */
    public static final class ObservedCode {

        private final @Nullable ObservedOperation operation;

        ObservedCode(@Nullable ObservedOperation operation) {
            this.operation = operation;
        }

        /** Returns the context in which operations find it as their parent. */
        public Context context(Context known) {
            return operation == null ? known : operation.context(known);
        }

        /** Runs it in this thread, in the scope of its operation. It throws nothing. */
        public void run(Runnable code) {
            if (operation == null) {
                code.run();
            } else {
                operation.run(code);
            }
        }

        /** Reports its end; with an error if it failed. */
        public void ended(@Nullable Throwable error) {
            if (operation != null && error == null) {
                operation.succeeded(null);
            } else if (operation != null && error != null) {
                operation.failed(error);
            }
        }

        /** Reports its cancel. Its later end is not reported. */
        public void cancelled() {
            if (operation != null) {
                operation.cancelled();
            }
        }
    }

    /**
     * Reports a page of a query to the listener.
     *
     * @param event makes the report; called only for a listener
     */
    public void page(Function<String, QueryPageEvent> event) {
        StowlineListener active = listener;
        if (active == null) {
            return;
        }
        try {
            ListenerCalls.accept(active::onQueryPage, event.apply(account));
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /** Returns whether there is a listener. */
    public boolean hasListener() {
        return attempts != null;
    }

    /** Reports the end of an attempt to the listener. */
    public void attemptEnded(AttemptEvent event) {
        Consumer<AttemptEvent> active = attempts;
        if (active == null) {
            return;
        }
        try {
            ListenerCalls.accept(active, event);
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /** Returns the account's name. */
    public String account() {
        return account;
    }

    /** Returns {@code table}, {@code queue} or {@code blob}. */
    public String service() {
        return service;
    }

    /** Returns the time by the clock of operations. */
    public long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    /** Returns the target that the address of an SDK client's request shows. */
    public RequestTarget target(String url, String text) {
        return RequestTarget.inAddress(url, account, Service.valueOf(service.toUpperCase(Locale.ROOT)), text);
    }

    /** Returns the verb of the observed operation in this context, or {@code null}. */
    public static @Nullable String caller(ContextView context) {
        ObservedOperation operation = ObservedScope.observed(context);
        return operation == null ? null : operation.name();
    }

    /** Reports the attempts of a request, as a part of the operation in this context. */
    public void attempted(ContextView context, Request request, String clientRequestId, RetryResult<?> ended) {
        ObservedOperation operation = ObservedScope.observed(context);
        if (listener != null && operation != null && operation.hasListener()) {
            operation.attempted(request.ended(clientRequestId, ended));
        }
    }

    /**
     * Returns the end of an operation that closing has cut short.
     *
     * @param operationScope knows of a write that was or may have been carried out, and whose result the caller does not get, and of requests that were
     *     cut; or {@code null}
     */
    static StorageException closed(String operation, String resource, @Nullable OperationScope operationScope) {
        FailureDetails carriedOut =
                operationScope == null ? null : operationScope.perhapsCarriedOut(OperationScope.CLOSED);
        if (carriedOut != null) {
            return new OutcomeUnknownException(
                    carriedOut, "nothing was read back", new UnreachableException(carriedOut, null));
        }
        StorageException cut = operationScope == null ? null : operationScope.cut();
        if (cut != null) {
            return cut;
        }
        return new UnreachableException(
                FailureFacts.of(operation, resource)
                        .because("the operation had no request in flight", OperationScope.CLOSED),
                null);
    }

    private ObservedOperation begin(
            StowlineListener active,
            String name,
            @Nullable String queryClass,
            Supplier<String> resource,
            ContextView seen) {
        return begin(
                active,
                name,
                () -> new OperationInfo(account, service, name, resource.get(), queryClass, endpoint, List.of()),
                seen);
    }

    private ObservedOperation begin(
            StowlineListener active, String name, Supplier<OperationInfo> info, ContextView seen) {
        OperationListener one = OperationListener.NONE;
        try {
            one = Objects.requireNonNull(
                    ListenerCalls.call(() -> active.onOperationStart(info.get(), seen)),
                    "the result of onOperationStart");
        } catch (Throwable e) {
            LOG.warn("a listener has failed", e);
        }
        return new ObservedOperation(name, one, clock);
    }
}

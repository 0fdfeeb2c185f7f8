package io.stowline.queue.internal.consumer.handler;

import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A handling that subscribes to the publisher that a handler returns; cancelling cancels the subscription. */
public final class ReactiveHandling implements MessageHandling {

    private final HandlerScope handlerScope = new HandlerScope();
    private final Executor executor;
    private final Function<List<LeaseKeeper>, ObservedCode> observation;
    private final Function<List<LeaseKeeper>, Publisher<?>> code;

    /**
     * A handler.
     *
     * @param executor calls it and subscribes
     * @param observation begins the observation of a call
     */
    public ReactiveHandling(
            Executor executor,
            Function<List<LeaseKeeper>, ObservedCode> observation,
            Function<List<LeaseKeeper>, Publisher<?>> code) {
        this.executor = executor;
        this.observation = observation;
        this.code = code;
    }

    @Override
    public HandlerCall start(List<LeaseKeeper> messages, Progress progress) {
        Running running = new Running(progress);
        try {
            executor.execute(() -> {
                if (running.enter()) {
                    run(messages, running, progress);
                }
            });
        } catch (Throwable e) {
            if (running.enter()) {
                progress.refused(e);
            }
        }
        return running::stop;
    }

    @Override
    public boolean isInHandler() {
        return handlerScope.isHere();
    }

    @Override
    public boolean isInHandler(ContextView context) {
        return handlerScope.isIn(context);
    }

    /** Reactor's fatal errors come out of the subscription, and so do those of a publisher that breaks its contract. */
    private void run(List<LeaseKeeper> messages, Running running, Progress progress) {
        ObservedCode observed = null;
        try {
            progress.began();
            observed = observation.apply(messages);
            ObservedCode call = observed;
            handlerScope.run(() -> subscribe(messages, running, call));
            running.left();
        } catch (Throwable e) {
            try {
                if (observed != null) {
                    observed.ended(e);
                }
            } finally {
                running.fail(e);
            }
        }
    }

    private void subscribe(List<LeaseKeeper> messages, Running running, ObservedCode observed) {
        UserCode.signalling(Flux.defer(() -> Flux.<Object>from(publisher(messages))))
                .doOnComplete(() -> observed.ended(null))
                .doOnError(observed::ended)
                .doOnCancel(observed::cancelled)
                .contextWrite(context -> breakable(running, observed, handlerScope.context(observed.context(context))))
                .subscribe(running);
    }

    /** Errors arrive on the threads of requests, or on the callbacks' threads. */
    private static Context breakable(Running running, ObservedCode observed, Context context) {
        Callbacks.Breakable handler = thrown -> running.broken(thrown, observed);
        return FatalErrors.endingWith(handler::broken, context.put(Callbacks.Breakable.class, handler));
    }

    private Publisher<?> publisher(List<LeaseKeeper> messages) {
        return UserCode.call(() -> code.apply(messages));
    }

    private static final class Running extends BaseSubscriber<Object> {

        private final Progress progress;
        private final AtomicBoolean entered = new AtomicBoolean();
        private volatile boolean subscribed;
        private volatile boolean left;
        private final AtomicBoolean ended = new AtomicBoolean();

        Running(Progress progress) {
            this.progress = progress;
        }

        /** True if neither a run nor a refusal nor a cancellation came first. */
        boolean enter() {
            return entered.compareAndSet(false, true);
        }

        /** A cancelled handler without a subscription gives no signal of its end. */
        void stop() {
            cancel();
            if (enter()) {
                end(new CancellationException("cancelled before it began"));
            } else if (left) {
                endUnsubscribed();
            }
        }

        void left() {
            left = true;
            if (isDisposed()) {
                endUnsubscribed();
            }
        }

        private void endUnsubscribed() {
            if (!subscribed) {
                end(new CancellationException("cancelled before it was subscribed to"));
            }
        }

        void fail(Throwable error) {
            end(error);
            cancel();
        }

        /** Ends the handler by the error of a thread that ran a step of it; returns false if it had ended before. */
        boolean broken(Throwable error, ObservedCode observed) {
            if (!ended.compareAndSet(false, true)) {
                return false;
            }
            try {
                observed.ended(error);
            } finally {
                progress.ended(error);
                cancel();
            }
            return true;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            subscribed = true;
            requestUnbounded();
        }

        @Override
        protected void hookOnComplete() {
            end(null);
        }

        @Override
        protected void hookOnError(Throwable error) {
            end(error);
        }

        @Override
        protected void hookFinally(SignalType signal) {
            end(null);
        }

        private void end(@Nullable Throwable error) {
            if (ended.compareAndSet(false, true)) {
                progress.ended(error);
            }
        }
    }
}

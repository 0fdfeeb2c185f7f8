package io.stowline.queue.internal.consumer;

import io.stowline.transport.internal.concurrent.UserCode;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;

/** Subscribes to the publisher that a handler returns; cancelling cancels the subscription. */
public final class ReactiveHandling implements MessageHandling {

    private final Executor executor;
    private final Function<List<LeaseKeeper>, ObservedCode> observing;
    private final Function<List<LeaseKeeper>, Publisher<?>> code;

    /**
     * A handler.
     *
     * @param executor calls it and subscribes
     * @param observing begins the observation of a call
     * @param code what it does
     */
    public ReactiveHandling(
            Executor executor,
            Function<List<LeaseKeeper>, ObservedCode> observing,
            Function<List<LeaseKeeper>, Publisher<?>> code) {
        this.executor = executor;
        this.observing = observing;
        this.code = code;
    }

    @Override
    public Call start(List<LeaseKeeper> messages, Progress progress) {
        Running running = new Running(progress);
        try {
            executor.execute(() -> {
                progress.began();
                ObservedCode observed = observing.apply(messages);
                Flux.defer(() -> Flux.<Object>from(publisher(messages)))
                        .doOnComplete(() -> observed.ended(null))
                        .doOnError(observed::ended)
                        .doOnCancel(observed::cancelled)
                        .contextWrite(observed::context)
                        .subscribe(running);
            });
        } catch (RejectedExecutionException e) {
            progress.refused(e);
        }
        return running::cancel;
    }

    private Publisher<?> publisher(List<LeaseKeeper> messages) {
        return UserCode.call(() -> code.apply(messages));
    }

    private static final class Running extends BaseSubscriber<Object> {

        private final Progress progress;
        private final AtomicBoolean ended = new AtomicBoolean();

        Running(Progress progress) {
            this.progress = progress;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
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

package io.stowline.table.internal.writer;

import io.stowline.batching.internal.callback.CallbackRunner;
import io.stowline.transport.internal.concurrent.ActionTrampoline;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.Callbacks.CallbackRun;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** View of the client's callbacks for the engine, whose requesters are {@link CallbackRun}s. */
public record LaneCallbacks(Callbacks callbacks) implements CallbackRunner {

    @Override
    public void run(Runnable callback, @Nullable Object requester) {
        callbacks.run(callback, (CallbackRun) requester);
    }

    @Override
    public @Nullable Object current() {
        return Callbacks.current();
    }

    @Override
    public @Nullable Object requester(ContextView context) {
        return Callbacks.requester(context);
    }

    @Override
    public boolean isOver(Object requester) {
        return ((CallbackRun) requester).isOver();
    }

    @Override
    public void beforeWaiting() {
        Callbacks.beforeWaiting();
    }

    @Override
    public void runActions(ArrayDeque<Runnable> actions) {
        ActionTrampoline.run(actions);
    }

    @Override
    public void runOnDemand(Runnable work) {
        Callbacks.runOnDemand(work);
    }

    @Override
    public <T> Mono<T> deliver(CompletableFuture<T> end) {
        return callbacks.deliver(end);
    }

    @Override
    public CallbackRunner with(Executor executor) {
        return new LaneCallbacks(callbacks.with(executor));
    }

    @Override
    public void threw(String code, Throwable error) {
        callbacks.threw(code, error);
    }

    @Override
    public long failures() {
        return callbacks.failures();
    }
}

package io.stowline.batching.internal.callback;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Runner of the application's callbacks, which knows the callback that requested a result: as long as that one runs it may wait for the
 * result, and the runner finds another thread (decision 71). The engine keeps a requester and hands it back, and knows nothing of it. What a callback
 * throws is logged and counted. Safe for use by many threads.
 */
public interface CallbackRunner {

    /**
     * Runs a callback, on a thread on demand while its requester runs.
     *
     * @param requester the callback that requested this one, or null
     */
    void run(Runnable callback, @Nullable Object requester);

    /** Returns the callback that the current thread runs, or null. */
    @Nullable
    Object current();

    /** Returns the callback of the current thread as one that may wait from now on, or null. */
    default @Nullable Object requester() {
        Object current = current();
        letCurrentWait();
        return current;
    }

    /** Lets the callback of the current thread wait from now on, if the thread runs one. */
    default void letCurrentWait() {
        if (current() != null) {
            beforeWaiting();
        }
    }

    /** Returns the callback that requests a subscription with this context, or null. */
    @Nullable
    Object requester(ContextView context);

    /** Returns whether neither this callback nor one that waits for its work still runs. */
    boolean isOver(Object requester);

    /** Runs the actions that the current thread still has to run, before it waits: one of them may end the wait. */
    void beforeWaiting();

    /** Runs actions after the engine's lock was left; where the current thread runs some already, behind those. */
    void runActions(ArrayDeque<Runnable> actions);

    /** Runs work of the engine on a thread that no callback occupies. */
    void runOnDemand(Runnable work);

    /** Returns the end as a signal that arrives in a callback. */
    <T> Mono<T> deliver(CompletableFuture<T> end);

    /** Returns a runner on another executor that counts failures together with this one. */
    CallbackRunner with(Executor executor);

    /** Logs and counts an error that code of the application threw. */
    void threw(String code, Throwable error);

    /** Returns how many callbacks threw or were refused by their executor. */
    long failures();
}

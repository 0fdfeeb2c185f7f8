package io.stowline.transport.internal.concurrent;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A trampoline that runs the actions of an engine after its lock was left; those that arise in between follow, so that nothing recurses. */
public final class ActionTrampoline {

    private static final Logger LOG = LoggerFactory.getLogger(ActionTrampoline.class);
    private static final ThreadLocal<@Nullable ActionTrampoline> RUNNING = new ThreadLocal<>();

    /** The depth of nested actions on one thread, beyond which another thread takes over. */
    private static final int DEEPEST = 16;

    private final ArrayDeque<Runnable> actions;
    private int depth;

    private ActionTrampoline(ArrayDeque<Runnable> actions) {
        this.actions = actions;
    }

    public static void run(ArrayDeque<Runnable> actions) {
        ActionTrampoline running = RUNNING.get();
        if (running != null) {
            running.actions.addAll(actions);
            return;
        }
        ActionTrampoline begun = new ActionTrampoline(actions);
        RUNNING.set(begun);
        try {
            begun.drain();
        } finally {
            RUNNING.remove();
        }
    }

    /**
     * Runs what this thread still has to run: a thread about to wait, or within a callback that may wait, could be the one
     * that was to end its wait.
     *
     * @param other runs it when this thread is nested too deep
     */
    static void beforeWaiting(Executor other) {
        ActionTrampoline running = RUNNING.get();
        if (running == null || running.actions.isEmpty()) {
            return;
        }
        if (running.depth < DEEPEST) {
            running.depth++;
            try {
                running.drain();
            } finally {
                running.depth--;
            }
        } else {
            ArrayDeque<Runnable> rest = new ArrayDeque<>(running.actions);
            running.actions.clear();
            other.execute(() -> run(rest));
        }
    }

    private void drain() {
        for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
            try {
                action.run();
            } catch (Throwable error) {
                LOG.error("an action of the batching engine failed", error);
            }
        }
    }
}

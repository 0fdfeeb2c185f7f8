package io.stowline.batching;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the actions of an engine after its lock was left; those that arise meanwhile follow, so that nothing recurses. */
final class Trampoline {

    private static final Logger LOG = LoggerFactory.getLogger(Trampoline.class);
    private static final ThreadLocal<@Nullable ArrayDeque<Runnable>> RUNNING = new ThreadLocal<>();

    private Trampoline() {}

    static void run(ArrayDeque<Runnable> actions) {
        ArrayDeque<Runnable> running = RUNNING.get();
        if (running != null) {
            running.addAll(actions);
            return;
        }
        RUNNING.set(actions);
        try {
            drain(actions);
        } finally {
            RUNNING.remove();
        }
    }

    /** Runs what this thread still has to run: a thread about to wait may be the one that was to end its wait. */
    static void drain() {
        ArrayDeque<Runnable> running = RUNNING.get();
        if (running != null) {
            drain(running);
        }
    }

    private static void drain(ArrayDeque<Runnable> running) {
        for (Runnable action = running.poll(); action != null; action = running.poll()) {
            try {
                action.run();
            } catch (Throwable error) {
                LOG.error("an action of the batching engine failed", error);
            }
        }
    }
}

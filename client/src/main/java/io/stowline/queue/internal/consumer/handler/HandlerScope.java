package io.stowline.queue.internal.consumer.handler;

import io.stowline.transport.internal.concurrent.Callbacks;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The handlers whose code a thread runs. A reactive handler has its scope in the Reactor context, so that what the library delivers to it runs
 * in that scope as well. Thread-safe.
 */
final class HandlerScope implements Callbacks.Surrounding {

    private static final ThreadLocal<@Nullable Frame> CURRENT = new ThreadLocal<>();

    /**
     * One handler in a thread.
     *
     * @param outer the handler in whose thread an executor runs it
     */
    private record Frame(
            HandlerScope handlerScope, @Nullable Frame outer) {}

    /** Returns whether this thread runs no handler. */
    static boolean isOutside() {
        return CURRENT.get() == null;
    }

    /** Returns whether this thread runs code of this handler. */
    boolean isHere() {
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.outer()) {
            if (frame.handlerScope() == this) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a subscription with this context is a part of the handler's result. */
    boolean isIn(ContextView context) {
        return context.getOrDefault(Callbacks.Surrounding.class, null) == this;
    }

    /** Returns the context of the handler's result. */
    Context context(Context known) {
        return known.put(Callbacks.Surrounding.class, this);
    }

    @Override
    public void run(Runnable code) {
        Frame outer = CURRENT.get();
        CURRENT.set(new Frame(this, outer));
        try {
            code.run();
        } finally {
            // Not removed: the next handler of this thread would make the entry once more.
            CURRENT.set(outer);
        }
    }
}

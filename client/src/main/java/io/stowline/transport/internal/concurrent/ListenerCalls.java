package io.stowline.transport.internal.concurrent;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of the application's listeners. A listener is called in the middle of the work that a stop or a closing waits for, so that it
 * cannot wait for either. Thread-safe.
 */
public final class ListenerCalls {

    private static final ThreadLocal<@Nullable Boolean> CALLING = new ThreadLocal<>();

    private ListenerCalls() {}

    /** Returns whether this thread runs a method of a listener. */
    public static boolean isInListener() {
        return CALLING.get() != null;
    }

    /** Calls a listener, and returns what it returns. */
    public static <T> T call(Supplier<T> listener) {
        Boolean outer = CALLING.get();
        CALLING.set(Boolean.TRUE);
        try {
            return listener.get();
        } finally {
            // Not removed: the next call on this thread would make the entry once more.
            CALLING.set(outer);
        }
    }

    /** Calls a method of a listener with an event. */
    public static <E> void accept(Consumer<? super E> listener, E event) {
        Boolean outer = CALLING.get();
        CALLING.set(Boolean.TRUE);
        try {
            listener.accept(event);
        } finally {
            CALLING.set(outer);
        }
    }

    /** Calls a listener. */
    public static void run(Runnable listener) {
        Boolean outer = CALLING.get();
        CALLING.set(Boolean.TRUE);
        try {
            listener.run();
        } finally {
            CALLING.set(outer);
        }
    }
}

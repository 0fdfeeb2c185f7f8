package io.stowline.blob.internal.transfer;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** A listener to each request of a transfer that is sent again. It lies in the Reactor context of the transfer. Thread-safe, and never waits. */
public interface RetryListener {

    /** Reports a request that is sent again. */
    void retried();

    /** Returns the listener of this context, or {@code null} where nothing counts. */
    static @Nullable RetryListener in(ContextView context) {
        return context.getOrDefault(RetryListener.class, null);
    }

    /** Returns the context in which requests find this listener. */
    static Context in(Context context, RetryListener listener) {
        return context.put(RetryListener.class, listener);
    }
}

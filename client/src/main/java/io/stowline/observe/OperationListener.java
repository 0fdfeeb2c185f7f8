package io.stowline.observe;

import java.util.Map;
import reactor.util.context.Context;

/**
 * A listener to the events of one operation. Its methods are called one after the other, though not always by the same thread; see
 * {@link StowlineListener} for what they may do.
 */
public interface OperationListener {

    /** Listens to nothing. */
    OperationListener NONE = new OperationListener() {};

    /**
     * Returns the Reactor context that code further down, such as the HTTP client, sees.
     *
     * @param context the context so far
     * @return the context for this operation
     */
    default Context context(Context context) {
        return context;
    }

    /**
     * Returns the trace context for the envelope of a message that the operation sends. The library keeps {@code traceparent} and
     * {@code tracestate} of W3C Trace Context.
     *
     * @return names in lower case and values; empty for none
     */
    default Map<String, String> headers() {
        return Map.of();
    }

    /**
     * Runs code of the application that the operation is about, such as a blocking handler, in the calling thread. A listener may set what
     * the thread sees as current while it runs. It runs the code once.
     *
     * @param code the application's code, which throws nothing
     */
    default void run(Runnable code) {
        code.run();
    }

    /**
     * Receives the end of a request of the operation, and of all its attempts; further requests may follow, to read
     * back a write for instance. The blocks of an upload and the parts of a query end concurrently, on separate threads.
     *
     * @param request its end
     */
    default void onRequestEnd(RequestEnd request) {}

    /**
     * Receives the end of the operation. Called once, last.
     *
     * @param end the end
     */
    default void onOperationEnd(OperationEnd end) {}
}

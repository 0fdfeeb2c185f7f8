package io.stowline.transport.internal;

import io.stowline.retry.Priority;
import io.stowline.retry.RetrySettings;

/**
 * What a caller asked for, whatever number of requests it takes: for errors, for the retries and for the gate. For requests that an
 * SDK client makes it lies in the Reactor context of the call, see {@link SdkCalls}. Immutable.
 *
 * @param name the caller's verb
 * @param resource what it is asked of
 * @param effect what it does to the store
 * @param settings how often and how long each request is tried
 * @param priority its class at the gate
 */
public record Operation(String name, String resource, Effect effect, RetrySettings settings, Priority priority) {

    static final String KEY = "stowline-operation";

    /**
     * An ordinary operation.
     *
     * @param name the caller's verb
     * @param resource what it is asked of
     * @param effect what it does to the store
     * @param settings how often and how long each request is tried
     * @return the operation
     */
    public static Operation of(String name, String resource, Effect effect, RetrySettings settings) {
        return new Operation(name, resource, effect, settings, Priority.NORMAL);
    }
}

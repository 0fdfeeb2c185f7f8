package io.stowline.transport.internal.request;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import org.jspecify.annotations.Nullable;

/**
 * One operation of the caller, which may take an SDK client several requests. It lies in the Reactor context of the client's call, see
 * {@code SdkCalls}. Immutable.
 *
 * @param name the caller's verb
 * @param resource the resource that it concerns
 * @param type how it affects the store
 * @param success the statuses of its success, or {@code null} for any 2xx
 * @param existenceCheck whether it checks that a resource exists, which may be missing with its table, queue or container
 */
public record Operation(
        String name,
        String resource,
        OperationType type,
        ExecutionOptions options,
        @Nullable DocumentedStatus success,
        boolean existenceCheck) {

    public static final String KEY = "stowline-operation";

    /**
     * Returns an ordinary operation.
     *
     * @param name the caller's verb
     * @param resource the resource that it concerns
     * @param type how it affects the store
     * @param settings how often and how long each request is tried
     */
    public static Operation of(String name, String resource, OperationType type, RetrySettings settings) {
        return new Operation(name, resource, type, ExecutionOptions.direct(settings, type), null, false);
    }

    private Operation with(ExecutionOptions other) {
        return new Operation(name, resource, type, other, success, existenceCheck);
    }

    /** Returns the settings of its retries. */
    public RetrySettings settings() {
        return options.settings();
    }

    /**
     * Returns the read with the secondary as a second place.
     *
     * @param route its route, or {@code null} for the primary only
     * @throws IllegalArgumentException if it is no read
     */
    public Operation routed(@Nullable ReadRoute route) {
        return with(options.routed(name, type, route));
    }

    /** Returns the operation as a part of a write that ends by this deadline; see {@link ExecutionOptions#within}. */
    public Operation within(Deadline deadline) {
        return with(options.within(deadline));
    }

    /** Returns the operation as one of several requests of one call, which ends by this deadline. */
    public Operation until(Deadline deadline) {
        return with(options.until(deadline));
    }

    /** Returns the operation with the statuses of its success. */
    public Operation succeeding(DocumentedStatus statuses) {
        return new Operation(name, resource, type, options, statuses, existenceCheck);
    }

    /** Returns the operation as one that checks whether a resource exists. */
    public Operation checkingExistence() {
        return new Operation(name, resource, type, options, success, true);
    }
}

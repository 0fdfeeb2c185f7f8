package io.stowline.transport.internal.request;

import io.stowline.retry.Deadline;
import io.stowline.retry.RetrySettings;
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
 */
public record Operation(
        String name,
        String resource,
        OperationType type,
        ExecutionOptions options,
        @Nullable DocumentedStatus success) {

    public static final String KEY = "stowline-operation";

    /**
     * An ordinary operation.
     *
     * @param name the caller's verb
     * @param resource the resource that it concerns
     * @param type how it affects the store
     * @param settings how often and how long each request is tried
     */
    public static Operation of(String name, String resource, OperationType type, RetrySettings settings) {
        return new Operation(name, resource, type, ExecutionOptions.direct(settings, type), null);
    }

    private Operation with(ExecutionOptions other) {
        return new Operation(name, resource, type, other, success);
    }

    /** The settings of its retries. */
    public RetrySettings settings() {
        return options.settings();
    }

    /**
     * The same read with the secondary as a second place.
     *
     * @param route where it goes, or {@code null} for to the primary only
     * @throws IllegalArgumentException if it is no read
     */
    public Operation routed(@Nullable ReadRoute route) {
        return with(options.routed(name, type, route));
    }

    /** The same operation as a part of a write that ends by this deadline; see {@link ExecutionOptions#within}. */
    public Operation within(Deadline deadline) {
        return with(options.within(deadline));
    }

    /** The same operation as one of several requests of one call, which ends by this deadline. */
    public Operation until(Deadline deadline) {
        return with(options.until(deadline));
    }

    /** The same operation, done only if an answer has one of these statuses. */
    public Operation succeeding(DocumentedStatus statuses) {
        return new Operation(name, resource, type, options, statuses);
    }
}

package io.stowline.transport.internal.pipeline;

import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.OperationType;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a view of a table, queue or container may change.
 *
 * @param retry the retry settings of its operations
 * @param reads the place of reads whose results name it
 * @param headers the application's headers for all its requests
 * @param lease gives the id of the lease that a write names, by the resource of the write, or throws if there is none for it; {@code null}
 *     if writes name none
 */
public record ViewSettings(
        RetrySettings retry,
        ReadPreference reads,
        ExtraHeaders headers,
        @Nullable UnaryOperator<String> lease) {

    /** The header of a request that names a lease. */
    public static final String LEASE_ID = "x-ms-lease-id";

    /** Returns the settings of a view without headers of the application. */
    public static ViewSettings of(RetrySettings retry, ReadPreference reads) {
        return new ViewSettings(retry, reads, ExtraHeaders.NONE, null);
    }

    /** Returns the settings with another retry. */
    public ViewSettings with(RetrySettings settings) {
        return new ViewSettings(settings, reads, headers, lease);
    }

    /**
     * Returns the settings with other places of reads.
     *
     * @throws IllegalArgumentException if the account has no such place
     */
    public ViewSettings with(ReadFrom from) {
        return new ViewSettings(retry, reads.with(from), headers, lease);
    }

    /** Returns the settings with a lease that writes name. */
    public ViewSettings leased(UnaryOperator<String> other) {
        return new ViewSettings(retry, reads, headers, other);
    }

    /**
     * Returns the settings with one more header, or another value for it.
     *
     * @throws IllegalArgumentException if it is not allowed, see {@link ExtraHeaders#with}
     */
    public ViewSettings header(String name, String value) {
        return new ViewSettings(retry, reads, headers.with(name, value), lease);
    }

    /**
     * Returns the headers of one request, with the id of the lease on a write.
     *
     * @throws IllegalArgumentException if the lease is of another resource
     * @throws IllegalStateException if the lease is lost or released
     */
    public ExtraHeaders headersOf(OperationType type, String resource) {
        return lease == null || type == OperationType.READ ? headers : headers.with(LEASE_ID, lease.apply(resource));
    }
}

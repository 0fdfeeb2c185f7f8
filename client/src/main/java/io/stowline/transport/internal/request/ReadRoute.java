package io.stowline.transport.internal.request;

import io.stowline.transport.internal.account.SecondaryEndpoint;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * How a read goes to the primary and to the secondary. Only what asks for it has one: a write, Get Messages, the reading back of a write
 * and whatever fills or checks a cache go without, and thereby to the primary (RETRY-10). Immutable.
 *
 * <p>The place where it starts is the one whose word counts. The other is asked when that one fails for the moment; what the other refuses
 * it may just not have yet.
 *
 * @param secondary the read-only copy
 * @param lastSync how old that may be, or {@code null} if nobody wants to know
 * @param startsThere whether the secondary is the place that counts
 * @param stays whether the other place is out of question
 */
public record ReadRoute(
        SecondaryEndpoint secondary, @Nullable LastSyncTime lastSync, boolean startsThere, boolean stays) {

    /** A read of the secondary only, about which nothing more is asked. */
    public static ReadRoute alone(SecondaryEndpoint secondary) {
        return new ReadRoute(secondary, null, true, true);
    }

    /** The time up to which a secondary has all writes. */
    @FunctionalInterface
    public interface LastSyncTime {

        /**
         * The time as the service reports it.
         *
         * @return the time, or empty if it is not known; never an error
         */
        Mono<Optional<Instant>> known();
    }
}

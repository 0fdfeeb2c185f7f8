package io.stowline.transport.internal;

import org.jspecify.annotations.Nullable;

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
public record Routing(Secondary secondary, @Nullable LastSync lastSync, boolean startsThere, boolean stays) {

    /** A read of the secondary only, about which nothing more is asked. */
    static Routing alone(Secondary secondary) {
        return new Routing(secondary, null, true, true);
    }
}

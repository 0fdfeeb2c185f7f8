package io.stowline.transport.internal.request;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Ids of requests and markers: UUIDs of version 4 in form. The upper half is drawn from a secure source in each second in which ids are
 * made, the lower half counts through all its values in an order that looks random; so no id comes twice in a process, and in two
 * processes with the odds of a random UUID of 60 bits. Copies of a process that were restored from one snapshot draw again and part.
 * They are no secret, and drawing each from the secure source would cost more than its request's signature.
 */
public final class RequestIds {

    private static final long VERSION = 0x4000L;
    private static final long VARIANT = 1L << 63;

    /** Odd, so that its multiples go through all numbers of 62 bits. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private static final RequestIds ALL = new RequestIds(Clock.systemUTC(), () -> new SecureRandom().nextLong());

    /** The ids that were drawn in one second. */
    private record Drawn(long second, long upper) {}

    private final Clock clock;
    private final LongSupplier secure;
    private final AtomicLong lower;
    private volatile Drawn drawn;

    RequestIds(Clock clock, LongSupplier secure) {
        this.clock = clock;
        this.secure = secure;
        this.lower = new AtomicLong(secure.getAsLong());
        this.drawn = draw(second());
    }

    private long second() {
        return Math.floorDiv(clock.millis(), 1_000L);
    }

    private Drawn draw(long second) {
        return new Drawn(second, (secure.getAsLong() & ~0xF000L) | VERSION);
    }

    /**
     * Returns the next id.
     *
     * @return the id in 36 characters
     */
    public static String next() {
        return ALL.id();
    }

    String id() {
        long second = second();
        Drawn known = drawn;
        if (known.second != second) {
            known = draw(second);
            drawn = known;
        }
        long low = (lower.getAndAdd(STEP) & ~(3L << 62)) | VARIANT;
        return new UUID(known.upper, low).toString();
    }
}

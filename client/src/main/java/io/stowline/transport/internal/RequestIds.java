package io.stowline.transport.internal;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids of requests and marks: UUIDs of version 4 in form. The upper half is drawn once by the process from a secure source, the lower
 * half counts through all its values in an order that looks random; so no id comes twice in a process, and in two processes with the
 * odds of a random UUID of 60 bits. They are no secret, and drawing each from the secure source would cost more than its request's
 * signature.
 */
public final class RequestIds {

    private static final long VERSION = 0x4000L;
    private static final long VARIANT = 1L << 63;

    /** Odd, so that its multiples go through all numbers of 62 bits. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private static final long UPPER = (new SecureRandom().nextLong() & ~0xF000L) | VERSION;
    private static final AtomicLong LOWER = new AtomicLong(new SecureRandom().nextLong());

    private RequestIds() {}

    /**
     * The next id.
     *
     * @return the id in 36 characters
     */
    public static String next() {
        long lower = (LOWER.getAndAdd(STEP) & ~(3L << 62)) | VARIANT;
        return new UUID(UPPER, lower).toString();
    }
}

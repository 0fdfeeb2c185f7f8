package io.stowline.transport.internal.netty.direct;

import java.time.Duration;

/**
 * How many connections there are to one origin and how long they last.
 *
 * @param maxConnections the most at once
 * @param maxIdle how long one stays open without a request
 * @param maxAge how old one becomes
 * @param acquireTimeout how long a request waits for one
 * @param promptOpening how long a request relies on one that is being opened, before another is opened beside it
 */
public record ConnectionBounds(
        int maxConnections, Duration maxIdle, Duration maxAge, Duration acquireTimeout, Duration promptOpening) {}

package io.stowline.retry.internal.rate;

import io.stowline.retry.internal.rate.RateLimit.TokenRate;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * A claim to the tokens of a rate limit for one request, whose tokens are taken at most once and given back at most once, whatever races.
 * Thread-safe.
 */
public final class RateClaim {

    private final TokenRequest request;
    private final TokenRate rate;
    private final double weight;

    RateClaim(Supplier<TokenBucket> lines, TokenRate rate, double weight) {
        this.request = new TokenRequest(lines, rate.cost(weight));
        this.rate = rate;
        this.weight = weight;
    }

    /**
     * Returns a Mono that takes the tokens, for one subscriber, as {@link RateLimit#acquire} does. A claim that was given back before takes
     * none, and never completes.
     *
     * @param deadline when the wait must be over
     */
    public Mono<Void> acquire(Deadline deadline) {
        return RateMono.of(() -> request, rate, weight, deadline);
    }

    /** Leaves the line, or gives the tokens back if they were taken. */
    public void giveBack() {
        request.giveBack();
    }
}

package io.stowline.retry.internal.rate;

import io.stowline.retry.Deadline;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** Takes tokens of a rate limit for each subscriber. */
final class RateMono extends Mono<Void> {

    private final Supplier<TokenBucket> lines;
    private final TokenRate rate;
    private final double weight;
    private final long cost;
    private final Deadline deadline;

    private RateMono(Supplier<TokenBucket> lines, TokenRate rate, double weight, Deadline deadline) {
        this.lines = lines;
        this.rate = rate;
        this.weight = weight;
        this.cost = rate.cost(weight);
        this.deadline = Objects.requireNonNull(deadline, "deadline");
    }

    static Mono<Void> of(Supplier<TokenBucket> lines, TokenRate rate, double weight, Deadline deadline) {
        return onAssembly(new RateMono(lines, rate, weight, deadline));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Void> actual) {
        if (lines.get().tryTake(cost)) {
            Operators.complete(actual);
        } else {
            new RateWait(this, actual).start();
        }
    }

    TokenRequest claim() {
        return new TokenRequest(lines, cost);
    }

    TokenRate rate() {
        return rate;
    }

    double weight() {
        return weight;
    }

    Deadline deadline() {
        return deadline;
    }
}

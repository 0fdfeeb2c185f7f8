package io.stowline.retry.internal.rate;

import io.stowline.retry.internal.rate.RateLimit.TokenRate;
import io.stowline.retry.internal.timeout.Deadline;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/** A Mono that takes tokens of a rate limit for each subscriber. */
final class RateMono extends Mono<Void> {

    private final Supplier<TokenRequest> requests;
    private final TokenRate rate;
    private final double weight;
    private final Deadline deadline;

    private RateMono(Supplier<TokenRequest> requests, TokenRate rate, double weight, Deadline deadline) {
        this.requests = requests;
        this.rate = rate;
        this.weight = weight;
        this.deadline = Objects.requireNonNull(deadline, "deadline");
    }

    static Mono<Void> of(Supplier<TokenRequest> requests, TokenRate rate, double weight, Deadline deadline) {
        return onAssembly(new RateMono(requests, rate, weight, deadline));
    }

    @Override
    public void subscribe(CoreSubscriber<? super Void> actual) {
        TokenRequest claim = requests.get();
        if (claim.tryTakeInTurn()) {
            Operators.complete(actual);
        } else {
            new RateWait(this, claim, actual).start();
        }
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

    /** One subscriber's wait for the tokens of a rate limit; its deadline is met once it has joined the line. */
    private static final class RateWait implements Subscription {

        private static final int DIGITS = 3;

        private final RateMono source;
        private final CoreSubscriber<? super Void> actual;
        private final TokenRequest claim;

        RateWait(RateMono source, TokenRequest claim, CoreSubscriber<? super Void> actual) {
            this.source = source;
            this.claim = claim;
            this.actual = actual;
        }

        void start() {
            actual.onSubscribe(this);
            long patience = source.deadline().remainingNanos();
            try {
                long wait = claim.enter(patience, actual::onComplete);
                if (wait > patience && claim.withdraw()) {
                    actual.onError(tooLate(Duration.ofNanos(wait), Duration.ofNanos(patience)));
                }
            } catch (RejectedExecutionException refused) {
                if (claim.withdraw()) {
                    actual.onError(refused);
                }
            }
        }

        private RateTimeoutException tooLate(Duration wait, Duration left) {
            TokenRate rate = source.rate();
            double speed = claim.speed();
            String now = speed < 1 ? ", which rises and is " + rounded(rate.perSecond() * speed) + " now," : "";
            return new RateTimeoutException(
                    "the rate limit of " + rate.perSecond() + " per second (burst " + rate.burst() + ")" + now
                            + " can let weight " + source.weight() + " through in " + wait + " but only " + left
                            + " are left",
                    wait);
        }

        private static String rounded(double perSecond) {
            return BigDecimal.valueOf(perSecond)
                    .round(new MathContext(DIGITS))
                    .stripTrailingZeros()
                    .toPlainString();
        }

        @Override
        public void request(long n) {
            Operators.validate(n);
        }

        @Override
        public void cancel() {
            claim.withdraw();
        }
    }
}

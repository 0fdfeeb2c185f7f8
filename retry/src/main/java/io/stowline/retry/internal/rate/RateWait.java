package io.stowline.retry.internal.rate;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/** One subscriber's wait for the tokens of a rate limit; its deadline is met once it has joined the line. */
final class RateWait implements Subscription {

    private final RateMono source;
    private final CoreSubscriber<? super Void> actual;
    private final TokenRequest claim;

    RateWait(RateMono source, CoreSubscriber<? super Void> actual) {
        this.source = source;
        this.actual = actual;
        this.claim = source.claim();
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
        return new RateTimeoutException(
                "the rate limit of " + rate.perSecond() + " per second (burst " + rate.burst() + ") can let weight "
                        + source.weight() + " through in " + wait + " but only " + left + " are left",
                wait);
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

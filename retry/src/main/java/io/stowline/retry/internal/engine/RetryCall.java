package io.stowline.retry.internal.engine;

import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryPlan.RetryLimits;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * One operation for a {@link RetryEngine}: how it is sent, judged and limited. By default it discards nothing,
 * its body can be replayed and its retries cost nothing. Immutable; safe for use by many threads if its functions are.
 *
 * @param <T> the type of the results
 */
public final class RetryCall<T> {

    /** Callbacks for the bodies of requests and results. */
    private record Bodies<T>(Consumer<? super T> discard, BooleanSupplier replayable, BooleanSupplier progressed) {}

    private final RetryLimits limits;
    private final Classifier<? super T> classifier;
    private final Function<? super Attempt, ? extends Mono<? extends T>> send;
    private final Bodies<T> bodies;

    private RetryCall(
            RetryLimits limits,
            Classifier<? super T> classifier,
            Function<? super Attempt, ? extends Mono<? extends T>> send,
            Bodies<T> bodies) {
        this.limits = limits;
        this.classifier = Objects.requireNonNull(classifier, "classifier");
        this.send = Objects.requireNonNull(send, "send");
        this.bodies = bodies;
    }

    /**
     * Returns a call.
     *
     * @param <T> the type of the results
     * @param settings how long and how often it is tried
     * @param deadline when it is given up
     * @param classifier judges the end of each attempt
     * @param send makes one attempt; what it throws counts as the attempt's error
     * @return the call
     */
    public static <T> RetryCall<T> of(
            RetrySettings settings,
            Deadline deadline,
            Classifier<? super T> classifier,
            Function<? super Attempt, ? extends Mono<? extends T>> send) {
        RetryLimits limits =
                new RetryLimits(settings, deadline, RetryQuota.unlimited(), RetryQuota.ExhaustedPolicy.REFUSE, false);
        return new RetryCall<>(limits, classifier, send, new Bodies<>(result -> {}, () -> true, () -> false));
    }

    /**
     * Returns a call that passes every undelivered result to this function, which frees what it holds. A result stays undelivered when
     * another attempt follows or the subscriber has cancelled.
     *
     * @param discard frees a result; what it throws is logged
     * @return the call
     */
    public RetryCall<T> discarding(Consumer<? super T> discard) {
        Objects.requireNonNull(discard, "discard");
        return new RetryCall<>(limits, classifier, send, new Bodies<>(discard, bodies.replayable, bodies.progressed));
    }

    /**
     * Returns a call whose retries are paid from this quota.
     *
     * @param quota what the retries of all such calls share
     * @param whenEmpty what becomes of the call when the quota is empty
     * @return the call
     */
    public RetryCall<T> within(RetryQuota quota, RetryQuota.ExhaustedPolicy whenEmpty) {
        return new RetryCall<>(limits.within(quota, whenEmpty), classifier, send, bodies);
    }

    /**
     * Returns a call that is retried until its deadline, however many retries that takes. Without a back-off it is not
     * retried at all.
     *
     * @return the call
     */
    public RetryCall<T> untilDeadline() {
        return new RetryCall<>(limits.forAsLong(), classifier, send, bodies);
    }

    /**
     * Returns a call that is not retried once its request body cannot be sent again.
     *
     * @param replayable called after a failed attempt: whether the body can be sent again
     * @return the call
     */
    public RetryCall<T> replayableWhile(BooleanSupplier replayable) {
        Objects.requireNonNull(replayable, "replayable");
        return new RetryCall<>(limits, classifier, send, new Bodies<>(bodies.discard, replayable, bodies.progressed));
    }

    /**
     * Returns a call whose retries are counted from the last attempt that did a part of the work. The time is not: the deadline bounds it.
     *
     * @param progressed called after a failed attempt: whether a part was done since the last call
     * @return the call
     */
    public RetryCall<T> renewedBy(BooleanSupplier progressed) {
        Objects.requireNonNull(progressed, "progressed");
        return new RetryCall<>(limits, classifier, send, new Bodies<>(bodies.discard, bodies.replayable, progressed));
    }

    RetryLimits limits() {
        return limits;
    }

    Classifier<? super T> classifier() {
        return classifier;
    }

    Mono<? extends T> send(Attempt attempt) {
        return Objects.requireNonNull(send.apply(attempt), "send returned null");
    }

    void discard(T result) {
        bodies.discard.accept(result);
    }

    boolean progressed() {
        return bodies.progressed.getAsBoolean();
    }

    boolean replayable() {
        return bodies.replayable.getAsBoolean();
    }
}

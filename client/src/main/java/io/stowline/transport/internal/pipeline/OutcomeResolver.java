package io.stowline.transport.internal.pipeline;

import io.stowline.error.CircuitOpenException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.transport.internal.concurrent.FatalErrors;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/** The end of a write whose response was lost, by the result of its read-back (decision 24). */
public final class OutcomeResolver {

    /** The time between two read-backs of which the first failed. Each has its own retries besides. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private OutcomeResolver() {}

    /** A failed read-back. */
    private static final class Blind extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Blind(String how) {
            super(how, null, false, false);
        }
    }

    /**
     * Reads back, repeatedly while the read-back itself fails and time allows; where only the time after the horizon
     * decides, once more then. Without retries it repeats only until the horizon has passed, see {@link
     * UnresolvedAttempts#readsBackAgain}.
     *
     * @param once one read-back, a new one for every subscription
     * @param unresolved the unresolved attempts of the write
     * @param min the least time of a read-back
     * @param <R> the result of the write
     * @return the result of the last read-back; never {@link ReadBackResult.Open} nor {@link ReadBackResult.Unseen}
     */
    public static <R> Mono<ReadBackResult<R>> readBack(
            Mono<ReadBackResult<R>> once, UnresolvedAttempts unresolved, Duration min) {
        Mono<ReadBackResult<R>> readBack = persistent(once, unresolved, min);
        return readBack.flatMap(first -> first instanceof ReadBackResult.Open
                        ? afterHorizon(readBack, unresolved, min)
                        : Mono.just(first))
                .map(last -> last instanceof ReadBackResult.Open
                        ? new ReadBackResult.Unproven<>("not carried out so far, but it may still be", true)
                        : last);
    }

    private static <R> Mono<ReadBackResult<R>> persistent(
            Mono<ReadBackResult<R>> once, UnresolvedAttempts unresolved, Duration min) {
        return Mono.deferContextual(
                        context -> once.<ReadBackResult<R>>flatMap(seen -> seen instanceof ReadBackResult.Unseen<R> none
                                        ? Mono.error(new Blind(none.how()))
                                        : Mono.just(seen))
                                .retryWhen(Retry.from(
                                        ends -> ends.concatMap(end -> again(end.failure(), unresolved, min, context)))))
                .onErrorResume(
                        Blind.class,
                        e -> Mono.just(new ReadBackResult.Unproven<>(String.valueOf(e.getMessage()), true)));
    }

    private static Mono<Long> again(Throwable end, UnresolvedAttempts unresolved, Duration min, ContextView context) {
        boolean timeLeft = unresolved.deadline().remaining().compareTo(PAUSE.plus(min)) >= 0;
        return end instanceof Blind && timeLeft && unresolved.readsBackAgain()
                ? waited(FatalErrors.handingOver(Mono.delay(PAUSE, unresolved.timer())), context)
                        .switchIfEmpty(Mono.error(end))
                : Mono.error(end);
    }

    /**
     * Returns the result of a failed read-back.
     *
     * @param <R> the result of the write
     * @return that it proved nothing, for now or for good
     */
    public static <R> ReadBackResult<R> unseen(StorageException error) {
        String how = "reading back failed: " + error.getMessage();
        boolean passing = error instanceof ThrottledException
                || error instanceof ServerErrorException
                || error instanceof UnreachableException
                || error instanceof ProtocolException
                || error instanceof CircuitOpenException;
        return passing ? new ReadBackResult.Unseen<>(how) : new ReadBackResult.Unproven<>(how);
    }

    private static <R> Mono<ReadBackResult<R>> afterHorizon(
            Mono<ReadBackResult<R>> readBack, UnresolvedAttempts unresolved, Duration min) {
        Duration wait = unresolved.timeUntilSettled();
        if (unresolved.deadline().remaining().compareTo(wait.plus(min)) < 0) {
            return Mono.just(new ReadBackResult.Unproven<>(
                    "not carried out so far, but for " + wait.toMillis()
                            + " ms more it may be, and the deadline leaves no time to see",
                    true));
        }
        return Mono.deferContextual(
                context -> waited(FatalErrors.handingOver(Mono.delay(wait, unresolved.timer())), context)
                        .flatMap(over -> readBack)
                        .switchIfEmpty(Mono.fromSupplier(() -> new ReadBackResult.Unproven<>(
                                "not carried out so far, but for "
                                        + unresolved.timeUntilSettled().toMillis()
                                        + " ms more it may be, and this Stowline was closed before that",
                                true))));
    }

    /** Closing waits for the operation, and then ends the wait: the timer stops with the client. */
    private static Mono<Long> waited(Mono<Long> delay, ContextView context) {
        InFlightRegistry all = OperationScope.inFlight(context);
        return all == null ? delay : all.unlessAbandoned(delay);
    }

    /** The operation forgets the write, so that it does not end as unknown if closing cuts its later steps. */
    private static <R> Mono<R> disproved(OutcomeUnknownException end, String how) {
        return Mono.deferContextual(context -> {
            OperationScope operation = OperationScope.in(context);
            if (operation != null) {
                operation.disproved(end.failure().clientRequestId());
            }
            return Mono.error(ErrorMapper.settled(end, how));
        });
    }

    /**
     * Returns the result for the caller.
     *
     * @param end the end of the write
     * @param finding the result of the read-back
     * @param <R> the result of the write
     * @return the result, the failure that is proved, or that the outcome is unknown
     */
    public static <R> Mono<R> resolved(OutcomeUnknownException end, ReadBackResult<R> finding) {
        if (finding instanceof ReadBackResult.ProvenDone<R> done) {
            return Mono.just(done.result());
        }
        if (finding instanceof ReadBackResult.ProvenRefused<R> refused) {
            return disproved(end, refused.how());
        }
        return Mono.error(ErrorMapper.stillUnknown(
                end,
                finding instanceof ReadBackResult.Unproven<R> unknown
                        ? unknown
                        : new ReadBackResult.Unproven<>("it may still be carried out", true)));
    }
}

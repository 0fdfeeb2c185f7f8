package io.stowline.transport.internal;

import io.stowline.error.CircuitOpenException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/** Ends a write whose answer was lost with what looking has shown. */
public final class Settlement {

    /** Between two looks of which the first came to nothing. Each has its own retries besides. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private Settlement() {}

    /** A look that came to nothing. */
    private static final class Blind extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Blind(String how) {
            super(how, null, false, false);
        }
    }

    /**
     * Looks, again and again while looking itself fails and time allows; when it can only be told once the horizon has passed, once more
     * then.
     *
     * @param once one look, made anew for every subscription
     * @param doubt what is not known of the write
     * @param least the time that a look needs at least
     * @param <R> the result of the write
     * @return what the last look has shown; never {@link Finding.Open} nor {@link Finding.Unseen}
     */
    public static <R> Mono<Finding<R>> look(Mono<Finding<R>> once, Doubt doubt, Duration least) {
        Mono<Finding<R>> look = persistent(once, doubt, least);
        return look.flatMap(
                        first -> first instanceof Finding.Open ? afterHorizon(look, doubt, least) : Mono.just(first))
                .map(last -> last instanceof Finding.Open
                        ? new Finding.Unknown<>("not carried out so far, but it may still be")
                        : last);
    }

    private static <R> Mono<Finding<R>> persistent(Mono<Finding<R>> once, Doubt doubt, Duration least) {
        return Mono.deferContextual(context -> once.<Finding<R>>flatMap(seen -> seen instanceof Finding.Unseen<R> none
                                ? Mono.error(new Blind(none.how()))
                                : Mono.just(seen))
                        .retryWhen(
                                Retry.from(ends -> ends.concatMap(end -> again(end.failure(), doubt, least, context)))))
                .onErrorResume(Blind.class, e -> Mono.just(new Finding.Unknown<>(String.valueOf(e.getMessage()))));
    }

    private static Mono<Long> again(Throwable end, Doubt doubt, Duration least, ContextView context) {
        boolean timeLeft = doubt.deadline().remaining().compareTo(PAUSE.plus(least)) >= 0;
        return end instanceof Blind && timeLeft
                ? waited(Mono.delay(PAUSE, doubt.timer()), context).switchIfEmpty(Mono.error(end))
                : Mono.error(end);
    }

    /**
     * What it means that a look has failed.
     *
     * @param error what it has failed with
     * @param <R> the result of the write
     * @return that nothing was seen, or that nothing will be
     */
    public static <R> Finding<R> unseen(StorageException error) {
        String how = "reading back failed: " + error.getMessage();
        boolean passing = error instanceof ThrottledException
                || error instanceof ServerErrorException
                || error instanceof UnreachableException
                || error instanceof ProtocolException
                || error instanceof CircuitOpenException;
        return passing ? new Finding.Unseen<>(how) : new Finding.Unknown<>(how);
    }

    private static <R> Mono<Finding<R>> afterHorizon(Mono<Finding<R>> look, Doubt doubt, Duration least) {
        Duration wait = doubt.untilOver();
        if (doubt.deadline().remaining().compareTo(wait.plus(least)) < 0) {
            return Mono.just(new Finding.Unknown<>("not carried out so far, but for " + wait.toMillis()
                    + " ms more it may be, and the deadline leaves no time to see"));
        }
        return Mono.deferContextual(context -> waited(Mono.delay(wait, doubt.timer()), context)
                .flatMap(over -> look)
                .switchIfEmpty(Mono.fromSupplier(() -> new Finding.Unknown<>("not carried out so far, but for "
                        + doubt.untilOver().toMillis()
                        + " ms more it may be, and this Stowline was closed before that"))));
    }

    /** Closing waits for the operation, and then ends the wait: the timer stops with the client. */
    private static Mono<Long> waited(Mono<Long> delay, ContextView context) {
        return context.getOrDefault(InFlight.KEY, null) instanceof InFlight all ? all.unlessAbandoned(delay) : delay;
    }

    /**
     * What the caller is told.
     *
     * @param end how the write ended
     * @param finding what looking has shown
     * @param <R> the result of the write
     * @return the result, the failure that is proved, or that nobody can tell
     */
    public static <R> Mono<R> told(OutcomeUnknownException end, Finding<R> finding) {
        if (finding instanceof Finding.Done<R> done) {
            return Mono.just(done.result());
        }
        if (finding instanceof Finding.Refused<R> refused) {
            return Mono.error(Failures.settled(end, refused.how()));
        }
        String seen = finding instanceof Finding.Unknown<R> unknown ? unknown.seen() : "it may still be carried out";
        return Mono.error(Failures.stillUnknown(end, seen));
    }
}

package io.stowline.transport.internal;

import io.stowline.error.OutcomeUnknownException;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Ends a write whose answer was lost with what looking has shown. */
public final class Settlement {

    private Settlement() {}

    /**
     * Looks; when it can only be told once the horizon has passed, and time allows, a second time then.
     *
     * @param once one look, made anew for every subscription
     * @param doubt what is not known of the write
     * @param least the time that a look needs at least
     * @param <R> the result of the write
     * @return what the last look has shown; never {@link Finding.Open}
     */
    public static <R> Mono<Finding<R>> look(Mono<Finding<R>> once, Doubt doubt, Duration least) {
        return once.flatMap(
                        first -> first instanceof Finding.Open ? afterHorizon(once, doubt, least) : Mono.just(first))
                .map(last -> last instanceof Finding.Open
                        ? new Finding.Unknown<>("not carried out so far, but it may still be")
                        : last);
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

package io.stowline.queue.internal.consumer.lease;

import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper.LostLease;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher.LeaseEnding;
import io.stowline.queue.internal.poison.PoisonNote;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * The one end of a message: the first call claims it, waits for a renewal in flight, and sends it by the newest receipt. A copy to the
 * poison queue comes before its deletion. Only in the serial executor, but for {@link #isOver} and {@link #isSent}.
 */
final class MessageEnding {

    private final KeeperEnvironment environment;
    private final LeaseWatcher watcher;
    private final LeaseKeeper keeper;
    private final LeaseRenewal renewal;
    private final MessageNotes notes;
    private volatile boolean sent;
    private volatile boolean over;
    private boolean claimed;
    private @Nullable Runnable afterRenewal;
    private boolean copying;
    private @Nullable Runnable afterFailedCopy;

    MessageEnding(
            KeeperEnvironment environment,
            LeaseWatcher watcher,
            LeaseKeeper keeper,
            LeaseRenewal renewal,
            MessageNotes notes) {
        this.environment = environment;
        this.watcher = watcher;
        this.keeper = keeper;
        this.renewal = renewal;
        this.notes = notes;
    }

    /** Returns whether the request for the end was sent. */
    boolean isSent() {
        return sent;
    }

    /** Returns whether the service has responded. */
    boolean isOver() {
        return over;
    }

    /** Returns whether an end has begun. */
    boolean isClaimed() {
        return claimed;
    }

    Mono<Void> complete() {
        return whole("delete", environment.serial().work((sink, context) -> {
            claim(LeaseEnding.COMPLETED, receipt -> removal(receipt, context), sink);
        }));
    }

    private Mono<Void> whole(String verb, Mono<Void> ending) {
        return environment.channel().asOperation(verb, keeper.header(), ending);
    }

    Mono<Void> retryIn(Duration delay) {
        return whole("update", environment.serial().work((sink, context) -> {
            claim(
                    LeaseEnding.RETRIED,
                    receipt -> givenBack(receipt, delay, watcher.failures(keeper) + 1, watcher.releases(keeper))
                            .contextWrite(context),
                    sink);
        }));
    }

    /** Gives the message back after a delay. While the message is copied, that waits, and is done if the copy fails. */
    Mono<Void> release(Duration delay) {
        return release(() -> delay);
    }

    /** Gives the message back after the watcher's delay. */
    Mono<Void> giveBack() {
        return release(() -> watcher.returnDelay(keeper));
    }

    private Mono<Void> release(Supplier<Duration> delay) {
        return whole("update", environment.serial().work((sink, context) -> {
            if (copying && afterFailedCopy == null && !keeper.isOver()) {
                afterFailedCopy = () -> release(delay.get(), sink, context);
            } else {
                release(delay.get(), sink, context);
            }
        }));
    }

    private void release(Duration delay, Sinks.One<Void> sink, ContextView context) {
        claim(
                LeaseEnding.RELEASED,
                receipt -> givenBack(receipt, delay, watcher.failures(keeper), watcher.releases(keeper) + 1)
                        .contextWrite(context),
                sink);
    }

    /** Copies the message while its lease is renewed, then deletes it. A failed copy ends nothing. */
    Mono<Void> poison(String reason, @Nullable Throwable error) {
        return whole("poison", environment.serial().work((sink, context) -> {
            if (!refuses(sink)) {
                claimed = true;
                keeper.renewFromNow();
                copy(reason, error, sink, context);
            }
        }));
    }

    private void copy(String reason, @Nullable Throwable error, Sinks.One<Void> sink, ContextView context) {
        copying = true;
        int failures = watcher.failures(keeper);
        Mono<Void> copy = Mono.defer(() -> notes.poison(view -> environment
                        .channel()
                        .copyToPoison(new PoisonNote(view, reason, PoisonNote.text(error), failures))))
                .then();
        subscribe(copy.contextWrite(context), e -> notCopied(e, sink), () -> {
            watcher.copied(keeper, reason, error);
            afterRenewal(LeaseEnding.POISONED, receipt -> removal(receipt, context), sink);
            endCopying();
        });
    }

    /** An exception in place of a signal is a failure, too. */
    private void subscribe(Mono<Void> work, Consumer<Throwable> failed, Runnable done) {
        try {
            work.subscribe(nothing -> {}, e -> keeper.step(() -> failed.accept(e)), () -> keeper.step(done));
        } catch (Throwable e) {
            keeper.step(() -> failed.accept(e));
        }
    }

    private void notCopied(Throwable error, Sinks.One<Void> sink) {
        claimed = false;
        sink.tryEmitError(error);
        endCopying();
        keeper.notEnded();
    }

    /** A release that waited finds the message ended if the copy succeeded. */
    private void endCopying() {
        copying = false;
        Runnable waiting = afterFailedCopy;
        afterFailedCopy = null;
        if (waiting != null) {
            waiting.run();
        }
    }

    /** Deletes the message, and then its body: the removal of the body begins before the operation has ended. */
    private Mono<Void> removal(LeaseReceipt receipt, ContextView context) {
        Mono<Void> body = notes.removal().contextWrite(context);
        return environment
                .channel()
                .delete(keeper.header(), receipt, renewal.timeToEnd())
                .doOnSuccess(done -> body.subscribe())
                .contextWrite(context);
    }

    private Mono<Void> givenBack(LeaseReceipt receipt, Duration delay, int failures, long releases) {
        return environment
                .channel()
                .giveBack(keeper.header(), receipt, notes.givenBack(failures, releases), delay, renewal.timeToEnd());
    }

    private void claim(LeaseEnding kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        if (!refuses(sink)) {
            claimed = true;
            afterRenewal(kind, last, sink);
        }
    }

    /** Returns whether the message can neither be ended nor be changed; the sink receives the reason. */
    boolean refuses(Sinks.One<Void> sink) {
        String why = keeper.lostBy();
        if (why != null) {
            sink.tryEmitError(new LostLease(why));
        } else if (over || claimed) {
            sink.tryEmitError(new IllegalStateException(keeper.header().resource() + " has been ended already"));
        }
        return why != null || over || claimed;
    }

    private void afterRenewal(LeaseEnding kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        Runnable step = () -> send(kind, last, sink);
        if (renewal.isInFlight()) {
            afterRenewal = step;
        } else {
            step.run();
        }
    }

    /** Reports that the renewal has returned. Returns whether an end has waited for that. */
    boolean renewed() {
        Runnable waiting = afterRenewal;
        afterRenewal = null;
        if (waiting != null) {
            waiting.run();
        }
        return waiting != null;
    }

    private void send(LeaseEnding kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        String why = keeper.lostBy();
        if (why != null) {
            sink.tryEmitError(new LostLease(why));
            return;
        }
        sent = true;
        keeper.stopAlarm();
        subscribe(
                Mono.defer(() -> last.apply(renewal.receipt())),
                e -> ended(kind, e, sink),
                () -> ended(kind, null, sink));
    }

    private void ended(LeaseEnding kind, @Nullable Throwable error, Sinks.One<Void> sink) {
        if (over) {
            return;
        }
        over = true;
        if (error != null && LeaseRenewal.isTaken(error)) {
            keeper.lostDuringSettlement();
        }
        keeper.forgetListeners();
        if (kind != LeaseEnding.COMPLETED && kind != LeaseEnding.POISONED) {
            notes.givenBack(error);
        }
        notes.end(() ->
                new IllegalStateException(keeper.header().resource() + " was ended before the checkpoint was stored"));
        watcher.ended(keeper, kind, error);
        if (error == null) {
            sink.tryEmitEmpty();
        } else {
            sink.tryEmitError(error);
        }
    }
}

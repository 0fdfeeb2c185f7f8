package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.poison.PoisonNote;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Keeps one message: renews its lease, holds its newest receipt, and ends it once. All steps run in the serial executor of its environment.
 * Thread-safe.
 */
public final class LeaseKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    /** How a message ends here. */
    public enum Ending {
        /** It is deleted. */
        COMPLETED,
        /** It is hidden for a while, and received again. */
        RETRIED,
        /** It is given back without having failed. */
        RELEASED,
        /** It is deleted after it was copied to the poison queue. */
        POISONED
    }

    private final KeeperEnvironment environment;
    private final LeaseWatcher watcher;
    private final DeliveredMessage message;
    private final LeaseRenewal renewal;
    private final MessageNotes notes;
    private volatile MessageView look;
    private final Stopwatch heldSince;
    private final Disposable.Swap alarm = Disposables.swap();
    private final List<Runnable> whenLost = new ArrayList<>();
    private volatile @Nullable String lost;
    private volatile boolean ending;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;
    private volatile boolean hopeless;
    private boolean started;
    private boolean claimed;
    private @Nullable Runnable afterRenewal;
    private boolean copying;
    private @Nullable Runnable afterFailedCopy;

    LeaseKeeper(KeeperEnvironment environment, LeaseWatcher watcher, DeliveredMessage message) {
        this.environment = environment;
        this.watcher = watcher;
        this.message = message;
        this.look = message.look();
        this.renewal = new LeaseRenewal(environment, header(), message.lease());
        this.notes = new MessageNotes(environment.envelopes(), message.look());
        this.heldSince = Stopwatch.start(environment.timer());
    }

    /** The message as it was received. */
    public DeliveredMessage message() {
        return message;
    }

    /** The message, with its body as soon as that is read from its blob. */
    public MessageView look() {
        return look;
    }

    /** The body is read, and the message waits for a handler. */
    void opened(MessageView view) {
        look = view;
        step(() -> {
            started = false;
            tick();
        });
    }

    /** The trace context of the message's sender; empty if it has none. */
    Map<String, String> traceContext() {
        return notes.traceContext();
    }

    MessageHeader header() {
        return message.look().envelope();
    }

    String id() {
        return header().id();
    }

    /** The envelope in its newest state, or {@code null} if the message has none of the library's. */
    public @Nullable MessageEnvelope envelope() {
        return notes.envelope();
    }

    /** How long the message is certainly held; zero once it is lost, or its ending has gone out. */
    public Duration remaining() {
        Duration left = renewal.left();
        return lost != null || ending || left.isNegative() ? Duration.ZERO : left;
    }

    /** Why the message is lost, or {@code null} if it is not. */
    public @Nullable String lostBy() {
        return lost;
    }

    /** Whether it has ended or is lost. */
    boolean isOver() {
        return over || lost != null;
    }

    /** Whether an ending has begun. Only in the serial executor. */
    boolean isClaimed() {
        return claimed;
    }

    /** What its handling failed by although the handler returned, or {@code null}. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Whether the failure makes it poison at once. */
    boolean isHopeless() {
        return hopeless;
    }

    /** Notes that its handling fails, whatever its handler returns. */
    public void fail(Throwable cause) {
        failure = cause;
    }

    /** Notes that no handler can ever handle it. */
    public void reject(Throwable cause) {
        hopeless = true;
        failure = cause;
    }

    /** Watches the lease without renewing it. */
    void watch() {
        step(this::tick);
    }

    /** A step that throws leaves the message to its lease, since it would not be renewed any more. */
    private void step(Runnable step) {
        environment.serial().execute(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                LOG.error("a step for {} failed", header().resource(), UserCode.printable(e));
                renewal.returned();
                if (!isOver()) {
                    lose("a step of its consumer failed");
                }
            }
        });
    }

    /** Renews the lease from now on. */
    void begin() {
        step(() -> {
            started = true;
            tick();
        });
    }

    /** Takes the receipt of a later delivery. Returns false if it is of no use here any more. Only in the serial executor. */
    boolean adopt(LeaseReceipt newer) {
        if (isOver() || ending) {
            return false;
        }
        renewal.succeeded(newer);
        tick();
        return true;
    }

    /** Runs a task once the message is lost, on the callback threads; at once if it is lost already. */
    public void onLost(Runnable task) {
        environment.serial().execute(() -> {
            if (lost != null) {
                environment.callbacks().execute(task);
            } else if (!over) {
                whenLost.add(task);
            }
        });
    }

    /** Stores a checkpoint in the message, by a renewal. */
    public Mono<Void> checkpoint(String text) {
        return environment
                .serial()
                .work(sink -> step(() -> {
                    if (!refuses(sink)) {
                        notes.checkpoint(text, sink);
                        tick();
                    }
                }));
    }

    /** Deletes the message. */
    public Mono<Void> complete() {
        return ending(Ending.COMPLETED, this::deletion);
    }

    /** Hides the message for a while. */
    public Mono<Void> retryIn(Duration delay) {
        return ending(
                Ending.RETRIED, held -> givenBack(held, delay, watcher.failures(this) + 1, watcher.releases(this)));
    }

    /** Gives the message back, without having failed. While it is copied, that waits, and is done if the copy fails. */
    public Mono<Void> release(Duration delay) {
        return environment.serial().work(sink -> {
            if (copying && afterFailedCopy == null && !isOver()) {
                afterFailedCopy = () -> release(delay, sink);
            } else {
                release(delay, sink);
            }
        });
    }

    private void release(Duration delay, Sinks.One<Void> sink) {
        claim(
                Ending.RELEASED,
                held -> givenBack(held, delay, watcher.failures(this), watcher.releases(this) + 1),
                sink);
    }

    /** Copies the message to the poison queue while its lease is renewed, then deletes it. A failed copy ends nothing. */
    public Mono<Void> poison(String reason, @Nullable Throwable error) {
        return environment.serial().work(sink -> {
            if (!refuses(sink)) {
                claimed = true;
                started = true;
                tick();
                copy(reason, PoisonNote.text(error), sink);
            }
        });
    }

    private void copy(String reason, @Nullable String error, Sinks.One<Void> sink) {
        copying = true;
        int failures = watcher.failures(this);
        Mono<Void> copy = Mono.defer(notes::poison)
                .flatMap(look -> environment.channel().copyToPoison(new PoisonNote(look, reason, error, failures)));
        subscribe(copy, e -> notCopied(e, sink), () -> {
            watcher.copied(this);
            afterRenewal(Ending.POISONED, this::deletion, sink);
            endCopying();
        });
    }

    /** What is thrown in place of a signal is a failure, too. */
    private void subscribe(Mono<Void> work, Consumer<Throwable> failed, Runnable done) {
        try {
            work.subscribe(nothing -> {}, e -> step(() -> failed.accept(e)), () -> step(done));
        } catch (RuntimeException | Error e) {
            step(() -> failed.accept(e));
        }
    }

    private void notCopied(Throwable error, Sinks.One<Void> sink) {
        claimed = false;
        sink.tryEmitError(error);
        endCopying();
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

    /** Renews no more and lets the lease end; nothing is sent. An ending in flight goes on. */
    void abandon(String why) {
        environment.serial().execute(() -> {
            if (!isOver() && !ending) {
                lose(why);
            }
        });
    }

    private Mono<Void> deletion(LeaseReceipt held) {
        return environment.channel().delete(header(), held, renewal.timeToEnd());
    }

    private Mono<Void> givenBack(LeaseReceipt held, Duration delay, int failures, long releases) {
        return environment
                .channel()
                .giveBack(header(), held, notes.givenBack(failures, releases), delay, renewal.timeToEnd());
    }

    private Mono<Void> ending(Ending kind, Function<LeaseReceipt, Mono<Void>> last) {
        return environment.serial().work(sink -> claim(kind, last, sink));
    }

    private void claim(Ending kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        if (!refuses(sink)) {
            claimed = true;
            afterRenewal(kind, last, sink);
        }
    }

    private boolean refuses(Sinks.One<Void> sink) {
        String why = lost;
        if (why != null) {
            sink.tryEmitError(new LostLease(why));
        } else if (over || claimed) {
            sink.tryEmitError(new IllegalStateException(header().resource() + " has been ended already"));
        }
        return why != null || over || claimed;
    }

    private void afterRenewal(Ending kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        Runnable step = () -> end(kind, last, sink);
        if (renewal.isInFlight()) {
            afterRenewal = step;
        } else {
            step.run();
        }
    }

    private void end(Ending kind, Function<LeaseReceipt, Mono<Void>> last, Sinks.One<Void> sink) {
        String why = lost;
        if (why != null) {
            sink.tryEmitError(new LostLease(why));
            return;
        }
        ending = true;
        alarm.dispose();
        subscribe(
                Mono.defer(() -> last.apply(renewal.receipt())),
                e -> ended(kind, e, sink),
                () -> ended(kind, null, sink));
    }

    private void ended(Ending kind, @Nullable Throwable error, Sinks.One<Void> sink) {
        if (over) {
            return;
        }
        over = true;
        whenLost.clear();
        if (error == null) {
            noted(kind);
        }
        notes.end(() -> new IllegalStateException(header().resource() + " was ended before the checkpoint was stored"));
        watcher.ended(this, kind, error);
        if (error == null) {
            sink.tryEmitEmpty();
        } else {
            sink.tryEmitError(error);
        }
    }

    private void noted(Ending kind) {
        if (kind == Ending.COMPLETED) {
            notes.done();
        } else if (kind != Ending.POISONED) {
            notes.stored();
        }
    }

    /** Looks at the time: renews, waits for the next moment, or finds that the message is lost. */
    private void tick() {
        if (isOver() || ending) {
            return;
        }
        Duration left = renewal.left();
        Duration untilMaxHold = environment.maxHold().minus(heldSince.age());
        if (isOut(left)) {
            lose("its lease of " + environment.lease() + " ended and could not be renewed");
        } else if (isOut(untilMaxHold)) {
            lose("it was held for " + environment.maxHold() + ", which is maxHold");
        } else if (!started) {
            unstarted();
        } else {
            held(LeaseRenewal.shorter(left, untilMaxHold));
        }
    }

    private void unstarted() {
        Duration untilHalf = renewal.untilHalf();
        if (isOut(untilHalf)) {
            watcher.unstartedTooLong(this);
        } else {
            wakeIn(untilHalf);
        }
    }

    private void held(Duration until) {
        Duration due = renewal.untilHalf();
        if (!renewal.isPossible()) {
            wakeIn(until);
        } else if (!isOut(due) && !renewal.hasFailed() && !notes.isWaiting()) {
            wakeIn(LeaseRenewal.shorter(due, until));
        } else {
            wakeIn(until);
            renew();
        }
    }

    private void renew() {
        renewal.attempt(notes.renewal())
                .subscribe(
                        newer -> step(() -> {
                            renewal.returned();
                            renewal.succeeded(newer);
                            notes.renewed();
                            next();
                        }),
                        e -> step(() -> {
                            renewal.returned();
                            notRenewed(e);
                            next();
                        }));
    }

    private void notRenewed(Throwable error) {
        if (!isOver()) {
            LOG.debug("the lease of {} was not renewed", header().resource(), error);
            if (!renewal.failed(error)) {
                lose("another client has received or removed it");
            }
        }
    }

    /** After a renewal: an ending that waits for it, or the next look at the time. */
    private void next() {
        Runnable waiting = afterRenewal;
        if (waiting != null) {
            afterRenewal = null;
            waiting.run();
        } else if (!isOver() && renewal.isToRepeat()) {
            wakeIn(LeaseRenewal.shorter(renewal.pause(), renewal.left()));
        } else {
            tick();
        }
    }

    private void lose(String why) {
        lost = why;
        alarm.dispose();
        List<Runnable> tasks = List.copyOf(whenLost);
        whenLost.clear();
        notes.end(() -> new LostLease(why));
        watcher.lost(this, why);
        tasks.forEach(environment.callbacks()::execute);
        Runnable waiting = afterRenewal;
        if (waiting != null && !renewal.isInFlight()) {
            afterRenewal = null;
            waiting.run();
        }
    }

    private void wakeIn(Duration time) {
        if (!alarm.isDisposed()) {
            alarm.update(environment.timer().schedule(this::watch, Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS));
        }
    }

    private static boolean isOut(Duration time) {
        return time.isZero() || time.isNegative();
    }

    /** The message that is to be ended belongs to its keeper no longer. */
    public static final class LostLease extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        LostLease(String why) {
            super("the message is lost: " + why);
        }
    }
}

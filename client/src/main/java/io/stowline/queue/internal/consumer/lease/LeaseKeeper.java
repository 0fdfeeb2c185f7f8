package io.stowline.queue.internal.consumer.lease;

import static io.stowline.retry.internal.timeout.RenewalTimes.isOut;
import static io.stowline.retry.internal.timeout.RenewalTimes.shorter;

import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/**
 * The keeper of one message, which renews its lease, has its newest receipt, and ends it once. All steps run in the
 * serial executor of its environment. Thread-safe.
 */
public final class LeaseKeeper {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private static final String TAKEN = "another client has received or removed it";

    private final KeeperEnvironment environment;
    private final LeaseWatcher watcher;
    private final DeliveredMessage message;
    private final LeaseRenewal renewal;
    private final MessageNotes notes;
    private final MessageEnding ending;
    private final HandlingFailure failure = new HandlingFailure();
    private volatile MessageView currentView;
    private final Stopwatch holdTimer;
    private final Disposable.Swap alarm = Disposables.swap();
    private final List<Runnable> whenLost = new ArrayList<>();
    private volatile @Nullable String lost;
    private @Nullable String leaving;
    private boolean started;
    private boolean late;

    public LeaseKeeper(KeeperEnvironment environment, LeaseWatcher watcher, DeliveredMessage message) {
        this.environment = environment;
        this.watcher = watcher;
        this.message = message;
        this.currentView = message.view();
        this.renewal = new LeaseRenewal(environment, header(), message.lease());
        this.notes = new MessageNotes(environment.envelopes(), message.view());
        this.ending = new MessageEnding(environment, watcher, this, renewal, notes);
        this.holdTimer = Stopwatch.start(environment.timer());
    }

    /** Returns the message as it was received. */
    public DeliveredMessage message() {
        return message;
    }

    /** Returns the message, with its body as soon as that is read from its blob. */
    public MessageView view() {
        return currentView;
    }

    /** Takes the message with its body, after which it waits for a handler. */
    public void opened(MessageView view) {
        currentView = view;
        step(() -> {
            started = false;
            tick();
        });
    }

    /** Returns the trace context of the message's sender; empty if it has none. */
    public Map<String, String> traceContext() {
        return notes.traceContext();
    }

    public MessageHeader header() {
        return message.view().header();
    }

    public String id() {
        return header().id();
    }

    /** Returns the envelope in its newest state, or {@code null} if the message has none of the library's. */
    public @Nullable MessageEnvelope envelope() {
        return notes.envelope();
    }

    /** Returns the certain rest of the lease; zero once the message is lost, or its ending has gone out. */
    public Duration remaining() {
        Duration left = renewal.left();
        return lost != null || ending.isSent() || left.isNegative() ? Duration.ZERO : left;
    }

    /** Returns why the message is lost, or {@code null} if it is not. */
    public @Nullable String lostBy() {
        return lost;
    }

    /** Returns whether it has ended or is lost. */
    public boolean isOver() {
        return lost != null || ending.isOver();
    }

    /** Returns whether an ending has begun. Only in the serial executor. */
    public boolean isClaimed() {
        return ending.isClaimed();
    }

    /** Returns the failure of its handling. */
    public HandlingFailure failure() {
        return failure;
    }

    /** Watches the lease without renewing it. */
    public void watch() {
        step(this::tick);
    }

    /** Runs a step. One that throws leaves the message to its lease, as renewals would stop. */
    void step(Runnable step) {
        environment.serial().execute(() -> {
            try {
                step.run();
            } catch (Throwable e) {
                LOG.error("a step for {} failed", header().resource(), UserCode.printable(e));
                renewal.returned();
                notes.notRenewed(e);
                if (!isOver()) {
                    lose("a step of its consumer failed");
                }
            }
        });
    }

    /** Renews the lease from now on. */
    public void begin() {
        step(this::renewFromNow);
    }

    /** Begins to renew at once; only in the serial executor. */
    void renewFromNow() {
        started = true;
        tick();
    }

    /**
     * Begins to keep a message that the application has received, by a lease that may be too short for a renewal in
     * time.
     */
    public void beginLate() {
        step(() -> {
            started = true;
            if (renewal.isShort()) {
                late = true;
                renew(renewal.lateAttempt());
            } else {
                tick();
            }
        });
    }

    /** Takes the receipt of a later delivery. Returns false if the message needs none. Only in the serial executor. */
    public boolean adopt(LeaseReceipt newer) {
        if (isOver() || ending.isSent()) {
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
            } else if (!ending.isOver()) {
                whenLost.add(task);
            }
        });
    }

    /** Stores a checkpoint in the message, by a renewal. */
    public Mono<Void> checkpoint(String text) {
        return environment
                .serial()
                .work((sink, context) -> step(() -> {
                    if (!ending.refuses(sink)) {
                        notes.checkpoint(text, sink);
                        tick();
                    }
                }));
    }

    /** Deletes the message. */
    public Mono<Void> complete() {
        return ending.complete();
    }

    /** Hides the message for a while. */
    public Mono<Void> retryIn(Duration delay) {
        return ending.retryIn(delay);
    }

    /** Gives the message back, without having failed. While it is copied, that waits, and is done if the copy fails. */
    public Mono<Void> release(Duration delay) {
        return ending.release(delay);
    }

    /** Gives the message back by its handler, for as long as its watcher sets. */
    public Mono<Void> giveBack() {
        return ending.giveBack();
    }

    /** Copies the message to the poison queue while its lease is renewed, then deletes it. A failed copy ends nothing. */
    public Mono<Void> poison(String reason, @Nullable Throwable error) {
        return ending.poison(reason, error);
    }

    /** Renews no more and lets the lease end; nothing is sent. An ending in flight goes on. */
    public void abandon(String why) {
        environment.serial().execute(() -> {
            if (!isOver() && !ending.isSent()) {
                lose(why);
            }
        });
    }

    /** Lets the lease end as {@link #abandon} does, once an ending that has begun has failed. */
    public void leave(String why) {
        environment.serial().execute(() -> {
            leaving = why;
            notEnded();
        });
    }

    /**
     * Leaves the message to its lease if it is to be left: an ending has failed before it was sent, or none has begun.
     * Only in the serial executor.
     */
    void notEnded() {
        String why = leaving;
        if (why != null && !ending.isClaimed()) {
            abandon(why);
        }
    }

    /** Stops the alarm, as an end that goes out needs none. */
    void stopAlarm() {
        alarm.dispose();
    }

    /** Drops the listeners of a loss, after the message has ended. */
    void forgetListeners() {
        whenLost.clear();
    }

    /** Renews, waits for the next moment, or finds the message lost, by the clock. */
    private void tick() {
        if (isOver() || ending.isSent() || late) {
            return;
        }
        Duration left = renewal.left();
        Duration untilMaxHold = environment.maxHold().minus(holdTimer.age());
        if (isOut(left)) {
            lose("its lease of " + renewal.receipt().leaseTimer().lease() + " ended and could not be renewed");
        } else if (isOut(untilMaxHold)) {
            lose("it was held for " + environment.maxHold() + ", which is maxHold");
        } else if (!started) {
            unstarted();
        } else {
            holdUntil(shorter(left, untilMaxHold));
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

    private void holdUntil(Duration until) {
        Duration due = renewal.untilHalf();
        if (!renewal.isPossible()) {
            wakeIn(until);
        } else if (!isOut(due) && !renewal.hasFailed() && !notes.isWaiting()) {
            wakeIn(shorter(due, until));
        } else {
            wakeIn(until);
            renew(renewal.attempt(notes.renewal()));
        }
    }

    private void renew(Mono<LeaseReceipt> attempt) {
        attempt.subscribe(
                newer -> step(() -> {
                    returned();
                    renewal.succeeded(newer);
                    notes.renewed();
                    next();
                }),
                e -> step(() -> {
                    returned();
                    notes.notRenewed(e);
                    notRenewed(e);
                    next();
                }));
    }

    private void returned() {
        late = false;
        renewal.returned();
    }

    private void notRenewed(Throwable error) {
        String why = lost;
        if (why != null) {
            notes.end(() -> new LostLease(why));
        } else if (!isOver()) {
            LOG.debug("the lease of {} was not renewed", header().resource(), error);
            if (!renewal.failed(error)) {
                lose(TAKEN);
            }
        }
    }

    /** Runs an ending that waits for the renewal, or sets the next alarm. */
    private void next() {
        if (ending.renewed()) {
            return;
        }
        if (!isOver() && renewal.isToRepeat()) {
            wakeIn(shorter(renewal.pause(), renewal.left()));
        } else {
            tick();
        }
    }

    /** Settlement found the message lost. Listeners receive the settlement result, not a second event. */
    void lostDuringSettlement() {
        lost = TAKEN;
        whenLost.forEach(environment.callbacks()::execute);
    }

    private void lose(String why) {
        lost = why;
        alarm.dispose();
        List<Runnable> tasks = List.copyOf(whenLost);
        whenLost.clear();
        notes.end(() -> new LostLease(why));
        watcher.lost(this, why);
        tasks.forEach(environment.callbacks()::execute);
        if (!renewal.isInFlight()) {
            ending.renewed();
        }
    }

    private void wakeIn(Duration time) {
        if (!alarm.isDisposed()) {
            alarm.update(environment.timer().schedule(this::watch, Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS));
        }
    }

    /** The message that is to be ended belongs to its keeper no longer. */
    public static final class LostLease extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        LostLease(String why) {
            super("the message is lost: " + why);
        }
    }
}

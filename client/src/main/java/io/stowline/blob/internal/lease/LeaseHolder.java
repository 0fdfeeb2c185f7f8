package io.stowline.blob.internal.lease;

import static io.stowline.retry.internal.timeout.RenewalTimes.isOut;
import static io.stowline.retry.internal.timeout.RenewalTimes.shorter;

import io.stowline.blob.BlobLease;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.lease.LeaseOperations.LeaseGrant;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.retry.internal.timeout.RenewalTimes;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The holder of one lease, which renews it at its half until it ends, once: it is lost, or released. Its steps run one after the other.
 * Thread-safe.
 */
public final class LeaseHolder {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseHolder.class);
    private static final LeaseEnd RELEASED = new LeaseEnd(false, "it is released");

    private final LeaseOperations operations;
    private final Duration duration;
    private final SerialExecutor serial = new SerialExecutor();
    private final Disposable.Swap alarm = Disposables.swap();
    private final List<Runnable> whenLost = new ArrayList<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Function<Duration, Mono<Void>> atClose = this::close;
    private final AtomicReference<@Nullable LeaseEnd> end = new AtomicReference<>();
    private volatile String id;
    private volatile Stopwatch requested;
    private boolean inFlight;
    private int failures;

    LeaseHolder(LeaseOperations operations, Duration duration, LeaseGrant grant) {
        this.operations = operations;
        this.duration = duration;
        this.id = grant.id();
        this.requested = grant.requested();
    }

    /**
     * The end of a lease.
     *
     * @param lost whether it was lost, or else released
     */
    private record LeaseEnd(boolean lost, String why) {}

    /** Begins to renew the lease. */
    public void begin() {
        operations.service().register(atClose);
        serial.execute(this::tick);
    }

    public String id() {
        return id;
    }

    /** Returns the resource that the lease is of. */
    public String resource() {
        return operations.resource();
    }

    /**
     * Returns a container with this lease, which its writes name.
     *
     * @throws IllegalArgumentException if the lease is of another container
     */
    public BlobContext in(BlobContext context) {
        if (!context.url().equals(context().url())) {
            throw new IllegalArgumentException("the lease is of " + resource() + " at "
                    + context().url() + ", not of the container at " + context.url());
        }
        return context.leased(this::idFor);
    }

    private BlobContext context() {
        return operations.context();
    }

    /** Returns whether it is held for certain; after false never again true. */
    public boolean isHeld() {
        if (end.get() == null && isOut(untilLapse())) {
            lapse();
        }
        return end.get() == null;
    }

    public Duration remaining() {
        return isHeld() ? untilLapse() : Duration.ZERO;
    }

    private Duration untilLapse() {
        return isInfinite() ? duration : duration.minus(RenewalTimes.MARGIN).minus(requested.age());
    }

    private boolean isInfinite() {
        return duration.equals(BlobLease.INFINITE);
    }

    /** Throws unless it is held. */
    void requireHeld() {
        if (!isHeld()) {
            throw lostException(null);
        }
    }

    /** Returns the exception for a call that needs the lease; only after its end. */
    LeaseLostException lostException(@Nullable Throwable cause) {
        LeaseEnd ended = end.get();
        return new LeaseLostException(
                "the lease of " + resource() + " is not held: " + (ended == null ? "" : ended.why), cause);
    }

    /** Returns whether it has ended otherwise than by its release. */
    boolean isLost() {
        LeaseEnd ended = isHeld() ? null : end.get();
        return ended != null && ended.lost;
    }

    private String idFor(String resource) {
        if (!resource.equals(resource())) {
            throw new IllegalArgumentException("the lease is of " + resource() + ", not of " + resource
                    + ": a view with a lease writes only what the lease is of");
        }
        requireHeld();
        return id;
    }

    /** Runs a task once it is lost, on the callback threads. */
    public void onLost(Runnable task) {
        serial.execute(() -> {
            LeaseEnd ended = end.get();
            if (ended == null) {
                whenLost.add(task);
            } else if (ended.lost) {
                context().callbacks().execute(task);
            }
        });
    }

    /** Ends when it is lost. */
    Mono<Void> whenLost() {
        return Mono.create(sink -> onLost(sink::success));
    }

    /** Gives the lease another id. */
    public Mono<Void> change() {
        return serial.work((sink, context) -> whenQuiet(() -> change(sink)));
    }

    private void change(Sinks.One<Void> sink) {
        if (!isHeld()) {
            sink.tryEmitError(lostException(null));
            return;
        }
        String next = UUID.randomUUID().toString();
        inFlight = true;
        operations
                .change(id, next, untilLapse().dividedBy(2))
                .subscribe(
                        none -> {},
                        e -> serial.execute(() -> {
                            if (e instanceof OutcomeUnknownException || LeaseOperations.isNotOurs(e)) {
                                lose("its id may have changed");
                            }
                            sink.tryEmitError(e);
                            requestEnded();
                        }),
                        () -> serial.execute(() -> {
                            id = next;
                            sink.tryEmitEmpty();
                            requestEnded();
                        }));
    }

    /** Ends the lease; an error if it is lost. */
    public Mono<Void> release() {
        return Mono.defer(() -> {
            if (isHeld() && end.compareAndSet(null, RELEASED)) {
                return released();
            }
            return isLost() ? Mono.error(lostException(null)) : Mono.empty();
        });
    }

    /** Ends the lease unless it is over. */
    public Mono<Void> releaseIfHeld() {
        return Mono.defer(() -> isHeld() ? release() : Mono.empty());
    }

    private Mono<Void> released() {
        return serial.work((sink, context) -> {
            forget();
            whenQuiet(() -> operations
                    .release(id, isInfinite() ? context().retry().deadline() : duration)
                    .onErrorMap(
                            e -> !(e instanceof OutcomeUnknownException) && LeaseOperations.isNotOurs(e),
                            e -> new LeaseLostException(
                                    "the lease of " + resource() + " was lost before its release", e))
                    .subscribe(none -> {}, sink::tryEmitError, sink::tryEmitEmpty));
        });
    }

    /** Counts the lease as lost and gives it back, for others do not have to wait for its end. */
    void abandon(String why) {
        abandoned(why).subscribe();
    }

    /** Abandons it, and returns the end of that, which comes before the lease would end by itself. A cancel does not stop it. */
    Mono<Void> abandoned(String why) {
        Duration left = untilLapse();
        if (!lose(why)) {
            return Mono.empty();
        }
        Mono<Void> end = givenBack(left).cache();
        end.subscribe();
        return end;
    }

    private Mono<Void> close(Duration within) {
        Duration left = shorter(untilLapse(), within);
        return lose("its client was closed") ? givenBack(left) : Mono.empty();
    }

    private Mono<Void> givenBack(Duration within) {
        return operations.release(id, within).onErrorResume(e -> {
            LOG.debug("the lease of {} was not given back and ends by itself", resource(), e);
            return Mono.empty();
        });
    }

    /** Runs a task once no request for the lease is in flight. */
    private void whenQuiet(Runnable task) {
        if (inFlight) {
            waiting.add(task);
        } else {
            task.run();
        }
    }

    private void requestEnded() {
        inFlight = false;
        Runnable next = waiting.poll();
        if (next != null) {
            next.run();
        }
        tick();
    }

    /** Renews, waits for the next moment, or finds the lease lost, by the clock. */
    private void tick() {
        if (end.get() != null || isInfinite()) {
            return;
        }
        Duration left = untilLapse();
        if (isOut(left)) {
            lapse();
            return;
        }
        Duration due = RenewalTimes.untilHalf(left, duration);
        boolean isDue = isOut(due) || failures > 0;
        wakeIn(isDue || inFlight ? left : shorter(due, left));
        if (isDue && !inFlight && RenewalTimes.isEnough(left)) {
            renew(left);
        }
    }

    private void renew(Duration left) {
        inFlight = true;
        operations
                .renew(id, left)
                .subscribe(newer -> serial.execute(() -> renewed(newer)), e -> serial.execute(() -> notRenewed(e)));
    }

    /** A renewal that arrives after the certain end is of no use: its work has been interrupted. */
    private void renewed(Stopwatch newer) {
        if (isHeld()) {
            requested = newer;
            failures = 0;
        }
        requestEnded();
    }

    private void notRenewed(Throwable error) {
        failures++;
        LOG.debug("the lease of {} was not renewed", resource(), error);
        if (LeaseOperations.isNotOurs(error)) {
            lose("the service has refused its renewal");
        }
        if (!waiting.isEmpty() || end.get() != null) {
            requestEnded();
            return;
        }
        inFlight = false;
        Duration left = untilLapse();
        wakeIn(shorter(
                RenewalTimes.pause(
                        left, failures, operations.service().pipeline().random()),
                left));
    }

    private void wakeIn(Duration time) {
        if (!alarm.isDisposed()) {
            alarm.update(operations
                    .service()
                    .timer()
                    .schedule(() -> serial.execute(this::tick), Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS));
        }
    }

    private void lapse() {
        lose("its " + duration.toSeconds() + " s have passed and no renewal has arrived");
    }

    private boolean lose(String why) {
        if (!end.compareAndSet(null, new LeaseEnd(true, why))) {
            return false;
        }
        LOG.debug("the lease of {} is lost: {}", resource(), why);
        serial.execute(() -> {
            forget();
            whenLost.forEach(context().callbacks()::execute);
            whenLost.clear();
        });
        return true;
    }

    private void forget() {
        alarm.dispose();
        operations.service().deregister(atClose);
    }
}

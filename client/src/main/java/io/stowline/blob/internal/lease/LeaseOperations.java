package io.stowline.blob.internal.lease;

import io.stowline.blob.BlobLease;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.RenewalTimes;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.DirectCalls;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.request.ExecutionOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The operations on the lease of one blob or container. After a lost response the id of the lease decides: only its holder can renew it.
 * Thread-safe.
 */
public final class LeaseOperations {

    private static final Duration MIN_LEASE = Duration.ofSeconds(15);
    private static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration MIN_ATTEMPT = Duration.ofMillis(100);
    private static final Duration MIN_TIME = Duration.ofMillis(1);
    private static final String NOT_OURS =
            "the service has no lease of this id, but one may have been granted and have ended since, or been broken";

    private final BlobContext context;
    private final LeaseRequests requests;
    private final DirectCalls calls;

    /**
     * Prepares the operations.
     *
     * @param name the blob's name, or {@code null} for the container itself
     */
    public LeaseOperations(BlobContext context, @Nullable String name) {
        this.context = context;
        this.requests = new LeaseRequests(context, name);
        this.calls = context.calls().direct();
    }

    /**
     * A lease as the service has granted it.
     *
     * @param requested a moment before the request was sent
     */
    record LeaseGrant(String id, Stopwatch requested) {}

    /** Returns the resource that the lease is of. */
    String resource() {
        return requests.resource();
    }

    /** Returns the container that the lease is in. */
    BlobContext context() {
        return context;
    }

    BlobService service() {
        return context.service();
    }

    /**
     * Checks the duration of a lease with an end.
     *
     * @param name its name in the call
     * @return it, in whole seconds
     */
    public static Duration duration(String name, Duration lease) {
        return whole(name, lease, MIN_LEASE, MAX_LEASE);
    }

    private static Duration whole(String name, Duration time, Duration min, Duration max) {
        Objects.requireNonNull(time, name);
        if (time.compareTo(min) < 0 || time.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    name + " is " + min.toSeconds() + " s to " + max.toSeconds() + " s, not " + time);
        }
        return time.getNano() == 0 ? time : Duration.ofSeconds(time.getSeconds() + 1);
    }

    /**
     * Acquires the lease. It is not renewed before {@link LeaseHolder#begin}.
     *
     * @param duration its duration, or {@link BlobLease#INFINITE}
     * @throws IllegalArgumentException if the duration is out of range
     */
    public Mono<LeaseHolder> acquire(Duration duration) {
        Duration lease = BlobLease.INFINITE.equals(duration) ? duration : duration("duration", duration);
        long seconds = lease.equals(BlobLease.INFINITE) ? -1 : lease.toSeconds();
        return Mono.defer(() -> {
                    String id = UUID.randomUUID().toString();
                    return calls.<Boolean, LeaseGrant>settled(
                            "lease",
                            this::resource,
                            () -> requests.acquire(id, seconds, context.retry()),
                            (done, exchange) -> grant(id, exchange),
                            (end, unresolved) -> byRenewal(end, unresolved, id));
                })
                .map(grant -> new LeaseHolder(this, lease, grant));
    }

    private LeaseGrant grant(String id, Exchange<?> exchange) {
        return new LeaseGrant(id, calls.pipeline().unresolved(exchange).lastSent());
    }

    /** Finds by a renewal whether a lease has this id. One that has been granted may have ended since, or been broken. */
    private Mono<LeaseGrant> byRenewal(OutcomeUnknownException end, UnresolvedAttempts unresolved, String id) {
        RetrySettings settings = context.retry().forReadBack();
        Mono<ReadBackResult<LeaseGrant>> once = Mono.defer(() -> {
            Exchange<Boolean> renewal =
                    requests.renew(id, settings).with(options -> options.within(unresolved.deadline()));
            return calls.pipeline()
                    .send(renewal)
                    .<ReadBackResult<LeaseGrant>>map(
                            ours -> ours ? new ReadBackResult.ProvenDone<>(grant(id, renewal)) : notOurs(unresolved))
                    .onErrorResume(StorageException.class, e -> Mono.just(refused(e, unresolved)));
        });
        return OutcomeResolver.readBack(once, unresolved, settings.minAttempt())
                .flatMap(finding -> OutcomeResolver.resolved(end, finding));
    }

    private static <A> ReadBackResult<A> refused(StorageException e, UnresolvedAttempts unresolved) {
        return isNotOurs(e) ? notOurs(unresolved) : OutcomeResolver.unseen(lastOf(e));
    }

    private static <A> ReadBackResult<A> notOurs(UnresolvedAttempts unresolved) {
        return unresolved.isOver() ? new ReadBackResult.Unproven<>(NOT_OURS) : new ReadBackResult.Open<>();
    }

    /** Returns the end of the last attempt: a renewal may be repeated, whatever its outcome. */
    private static StorageException lastOf(StorageException e) {
        return e instanceof OutcomeUnknownException && e.getCause() instanceof StorageException last ? last : e;
    }

    /** Returns whether the service has refused an id: the lease is over, of another client, or its blob is gone. */
    static boolean isNotOurs(Throwable error) {
        Throwable last = error instanceof StorageException e ? lastOf(e) : error;
        return last instanceof LeaseLostException
                || last instanceof ConflictException
                || last instanceof PreconditionFailedException
                || last instanceof NotFoundException;
    }

    /**
     * Renews the lease by one attempt.
     *
     * @param left its certain rest
     * @return a moment before the request was sent
     */
    Mono<Stopwatch> renew(String id, Duration left) {
        Duration within = RenewalTimes.attempt(left);
        RetrySettings settings = RetrySettings.builder()
                .backoff(Backoff.none())
                .deadline(within)
                .attemptTimeout(within)
                .minAttempt(MIN_ATTEMPT)
                .reserve(Duration.ZERO)
                .build();
        return calls.observed(
                "renewLease",
                this::resource,
                () -> requests.renew(id, settings).with(ExecutionOptions::settling),
                (ours, exchange) -> {
                    if (!ours) {
                        throw new LeaseLostException("the service has renewed another lease of " + resource(), null);
                    }
                    return grant(id, exchange).requested();
                });
    }

    /**
     * Gives the lease another id.
     *
     * @param within the time for it
     */
    Mono<Void> change(String id, String next, Duration within) {
        return calls.<Boolean, LeaseGrant>settled(
                        "changeLease",
                        this::resource,
                        () -> requests.change(id, next, ending(within)).with(ExecutionOptions::settling),
                        (done, exchange) -> grant(next, exchange),
                        (end, unresolved) -> byRenewal(end, unresolved, next))
                .then();
    }

    /** Ends the lease. It counts as ended where its blob is gone, and after a lost response where the service has none of its id. */
    Mono<Void> release(String id, Duration within) {
        return calls.<Boolean, Boolean>settled(
                        "releaseLease",
                        this::resource,
                        () -> requests.release(id, ending(within)).with(ExecutionOptions::settling),
                        (done, exchange) -> done,
                        (end, unresolved) -> isNotOurs(end) ? Mono.just(true) : Mono.error(end))
                .onErrorResume(NotFoundException.class, e -> Mono.just(true))
                .then();
    }

    private RetrySettings ending(Duration within) {
        RetrySettings known = context.retry();
        Duration deadline = RenewalTimes.longer(MIN_TIME, RenewalTimes.shorter(within, known.deadline()));
        return known.toBuilder()
                .deadline(deadline)
                .attemptTimeout(RenewalTimes.shorter(RenewalTimes.attempt(deadline), known.attemptTimeout()))
                .minAttempt(RenewalTimes.shorter(MIN_ATTEMPT, deadline))
                .reserve(Duration.ZERO)
                .build();
    }

    /** Breaks the lease of any client, and gives the time until others can get it. */
    public Mono<Duration> breakWithin(Duration period) {
        long seconds = whole("period", period, Duration.ZERO, MAX_LEASE).toSeconds();
        return calls.<Long, Long>settled(
                        "breakLease",
                        this::resource,
                        () -> requests.breakWithin(seconds, context.retry()),
                        (left, exchange) -> left,
                        (end, unresolved) -> broken(end, unresolved, seconds))
                .map(Duration::ofSeconds);
    }

    private Mono<Long> broken(OutcomeUnknownException end, UnresolvedAttempts unresolved, long seconds) {
        RetrySettings settings = context.retry().forReadBack();
        Mono<ReadBackResult<Long>> once = Mono.defer(() -> calls.pipeline()
                        .send(requests.state(settings).with(options -> options.within(unresolved.deadline()))))
                .<ReadBackResult<Long>>map(state -> switch (state) {
                    // Its id is not shown: another client may have got it after the break.
                    case "leased" ->
                        new ReadBackResult.Unproven<>(
                                "there is a lease: the one that was to be broken, or a later one");
                    case "breaking" -> new ReadBackResult.ProvenDone<>(seconds);
                    default -> new ReadBackResult.ProvenDone<>(0L);
                })
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
        return OutcomeResolver.readBack(once, unresolved, settings.minAttempt())
                .flatMap(finding -> OutcomeResolver.resolved(end, finding));
    }
}

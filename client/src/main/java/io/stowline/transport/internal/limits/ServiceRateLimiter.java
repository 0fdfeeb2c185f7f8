package io.stowline.transport.internal.limits;

import com.azure.core.http.HttpMethod;
import io.stowline.retry.internal.rate.RateClaim;
import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RateLimits;
import io.stowline.retry.internal.rate.RateTimeoutException;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A limiter that keeps the attempts to one service below the scalability targets of the account, and of each partition,
 * queue or blob. An attempt waits for its known cost, whose unused part is refunded at its end; a cost that only its
 * response shows is paid afterwards, ahead of the next attempts. Thread-safe.
 */
public final class ServiceRateLimiter {

    /** Longer than any debt of a response: costs that are paid afterwards have no deadline. */
    private static final Duration ANY_TIME = Duration.ofHours(12);

    private final RateLimit account;
    private final Targets usual;
    private final Targets pages;
    private final Scheduler clock;

    /** The rates of one kind of partition. */
    private record Targets(
            RateLimits<String> partitions, @Nullable RateLimits<String> bytes) {

        static Targets of(double requests, RefillClock clock) {
            return new Targets(RateLimits.perSecond(requests, requests, clock), null);
        }

        static Targets of(double requests, double bytes, RefillClock clock) {
            return new Targets(
                    RateLimits.perSecond(requests, requests, clock), RateLimits.perSecond(bytes, bytes, clock));
        }
    }

    private ServiceRateLimiter(RateLimit account, Targets usual, Targets pages, Scheduler clock) {
        this.account = account;
        this.usual = usual;
        this.pages = pages;
        this.clock = clock;
    }

    /**
     * Makes the limiter of one service. The account's target and its ramp are shared by its services: all of them get the same limit and clock.
     */
    public static ServiceRateLimiter of(
            ScalabilityTargets targets, Service service, RateLimit account, RefillClock clock) {
        Targets usual =
                switch (service) {
                    case TABLE -> Targets.of(targets.partitionEntities(), clock);
                    case QUEUE -> Targets.of(targets.queueMessages(), clock);
                    case BLOB -> Targets.of(targets.blobRequests(), targets.blobBytes(), clock);
                };
        Targets pages = service == Service.BLOB
                ? Targets.of(targets.pageBlobRequests(), targets.pageBlobBytes(), clock)
                : usual;
        return new ServiceRateLimiter(account, usual, pages, clock.timer());
    }

    /** Returns the charge of one attempt, which has taken nothing yet. */
    Charge charge(Request request) {
        RequestCost cost = request.cost();
        String partition = cost.partition();
        RateLimits<String> bytes = of(cost).bytes();
        return new Charge(
                account.claim(cost.entities()),
                partition == null ? null : of(cost).partitions().claim(partition, cost.entities()),
                partition == null || bytes == null || cost.bytes() == 0
                        ? null
                        : bytes.claim(partition, (double) cost.bytes()),
                request,
                clock);
    }

    /**
     * The tokens that one attempt takes of all targets.
     *
     * @param account those of the account
     * @param partition those of its partition, or {@code null} if it is not known
     * @param content those of its content, or {@code null} if it has none
     */
    record Charge(
            RateClaim account,
            @Nullable RateClaim partition,
            @Nullable RateClaim content,
            Request request,
            Scheduler clock) {

        /** Waits until the request fits into all targets, one after the other. */
        Mono<Void> acquire(Deadline deadline) {
            Mono<Void> turn = account.acquire(deadline);
            if (partition != null) {
                turn = turn.then(partition.acquire(deadline));
            }
            if (content == null) {
                return turn;
            }
            return turn.then(
                    request.method() == HttpMethod.GET ? patient(content, deadline) : content.acquire(deadline));
        }

        /** A read costs less than it may bring where its blob is short, so that refunds shorten the waits: none is refused before its deadline. */
        private Mono<Void> patient(RateClaim bytes, Deadline deadline) {
            return Mono.defer(() -> {
                Duration left = deadline.remaining();
                String late = "the rate limit of content has let no "
                        + request.cost().bytes() + " bytes of " + request.cost().partition() + " through";
                return bytes.acquire(Deadline.in(ANY_TIME, clock))
                        .timeout(left, Mono.error(() -> new RateTimeoutException(late, left)), clock);
            });
        }

        /** Gives back what it has taken, and leaves the lines in which it waits. */
        void giveBack() {
            account.giveBack();
            if (partition != null) {
                partition.giveBack();
            }
            if (content != null) {
                content.giveBack();
            }
        }
    }

    /** Charges the content that an attempt has moved beyond the bytes that it has paid for, or refunds the rest of these. */
    void settle(RequestCost load, long moved) {
        RateLimits<String> content = of(load).bytes();
        String partition = load.partition();
        double more = (double) (moved - load.bytes());
        if (content == null || partition == null) {
            return;
        }
        if (more > 0) {
            content.acquire(partition, more, Deadline.in(ANY_TIME, clock)).subscribe();
        } else {
            content.refund(partition, -more);
        }
    }

    /** Pays for the entities and messages of a response, or refunds those that it does not have. */
    public void pay(RequestCost load) {
        if (load.entities() < 0) {
            refundRequest(new RequestCost(load.partition(), -load.entities(), 0));
        } else if (load.entities() > 0) {
            account.acquire(load.entities(), Deadline.in(ANY_TIME, clock)).subscribe();
            if (load.partition() != null) {
                of(load).partitions()
                        .acquire(load.partition(), load.entities(), Deadline.in(ANY_TIME, clock))
                        .subscribe();
            }
        }
    }

    private Targets of(RequestCost load) {
        return load.pages() ? pages : usual;
    }

    private void refundRequest(RequestCost load) {
        account.refund(load.entities());
        if (load.partition() != null) {
            of(load).partitions().refund(load.partition(), load.entities());
        }
    }
}

package io.stowline.transport.internal.limits;

import com.azure.core.http.HttpMethod;
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

    /** Waits until the request fits into all targets. */
    public Mono<Void> acquire(Request request, Deadline deadline) {
        RequestCost load = request.cost();
        Mono<Void> turn = account.acquire(load.entities(), deadline);
        String partition = load.partition();
        if (partition == null) {
            return turn;
        }
        turn = turn.then(of(load).partitions()
                .acquire(partition, load.entities(), deadline)
                .doOnError(late -> account.refund(load.entities()))
                .doOnCancel(() -> account.refund(load.entities())));
        RateLimits<String> content = of(load).bytes();
        if (content == null || load.bytes() == 0) {
            return turn;
        }
        Mono<Void> moves = request.method() == HttpMethod.GET
                ? patient(content, partition, load.bytes(), deadline)
                : content.acquire(partition, (double) load.bytes(), deadline);
        return turn.then(moves.doOnError(late -> refundRequest(load)).doOnCancel(() -> refundRequest(load)));
    }

    /** A read costs less than it may bring where its blob is short, so that refunds shorten the waits: none is refused before its deadline. */
    private Mono<Void> patient(RateLimits<String> content, String partition, long bytes, Deadline deadline) {
        return Mono.defer(() -> {
            Duration left = deadline.remaining();
            String late = "the rate limit of content has let no " + bytes + " bytes of " + partition + " through";
            return content.acquire(partition, (double) bytes, Deadline.in(ANY_TIME, clock))
                    .timeout(left, Mono.error(() -> new RateTimeoutException(late, left)), clock);
        });
    }

    /** Gives back what an attempt that was not sent has taken. */
    void refund(RequestCost load) {
        refundRequest(load);
        settle(load, 0);
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

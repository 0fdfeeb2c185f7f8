package io.stowline.transport.internal;

import io.stowline.retry.Deadline;
import io.stowline.retry.RateLimit;
import io.stowline.retry.RateLimits;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.StorageAccount.Service;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Keeps the attempts to one service below the scalability targets: of the account, and of each partition, queue or blob. Thread-safe. */
final class Rates {

    private final RateLimit account;
    private final RateLimits<String> partitions;
    private final @Nullable RateLimits<String> bytes;

    private Rates(RateLimit account, RateLimits<String> partitions, @Nullable RateLimits<String> bytes) {
        this.account = account;
        this.partitions = partitions;
        this.bytes = bytes;
    }

    /** The account's target is shared by its services: give all of them the same limit. */
    static Rates of(ScalabilityTargets targets, Service service, RateLimit account, Scheduler clock) {
        double partition =
                switch (service) {
                    case TABLE -> targets.partitionEntities();
                    case QUEUE -> targets.queueMessages();
                    case BLOB -> targets.blobRequests();
                };
        RateLimits<String> bytes =
                service == Service.BLOB ? RateLimits.perSecond(targets.blobBytes(), targets.blobBytes(), clock) : null;
        return new Rates(account, RateLimits.perSecond(partition, partition, clock), bytes);
    }

    /** Waits until the load fits into all targets. */
    Mono<Void> acquire(Load load, Deadline deadline) {
        Mono<Void> turn = account.acquire(load.entities(), deadline);
        String partition = load.partition();
        if (partition == null) {
            return turn;
        }
        turn = turn.then(partitions
                .acquire(partition, load.entities(), deadline)
                .doOnError(late -> account.refund(load.entities()))
                .doOnCancel(() -> account.refund(load.entities())));
        RateLimits<String> content = bytes;
        return content == null || load.bytes() == 0
                ? turn
                : turn.then(content.acquire(partition, (double) load.bytes(), deadline)
                        .doOnError(late -> refundRequest(load))
                        .doOnCancel(() -> refundRequest(load)));
    }

    /** Gives back what an attempt that was not sent has taken. */
    void refund(Load load) {
        refundRequest(load);
        RateLimits<String> content = bytes;
        if (content != null && load.partition() != null && load.bytes() > 0) {
            content.refund(load.partition(), (double) load.bytes());
        }
    }

    private void refundRequest(Load load) {
        account.refund(load.entities());
        if (load.partition() != null) {
            partitions.refund(load.partition(), load.entities());
        }
    }
}

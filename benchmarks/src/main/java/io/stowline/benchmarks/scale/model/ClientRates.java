package io.stowline.benchmarks.scale.model;

import io.stowline.retry.internal.rate.RateClaim;
import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RateLimits;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.retry.internal.timeout.Deadline;
import reactor.core.publisher.Mono;

/** The rate targets of one client: its share of an account's target and of those of the partitions. Used by one thread. */
final class ClientRates {

    private final RateLimit account;
    private final RateLimits<Integer> partitions;

    /**
     * Creates full rates.
     *
     * @param share the part of all targets that the client takes
     */
    ClientRates(ServiceCapacity capacity, double share, EventClock clock) {
        RefillClock refill = RefillClock.steady(clock);
        double ofAccount = capacity.account() * share;
        double ofPartition = capacity.partition() * share;
        this.account = RateLimit.perSecond(ofAccount, ofAccount, refill);
        this.partitions = RateLimits.perSecond(ofPartition, ofPartition, refill);
    }

    RateCharge charge(int partition, int entities) {
        return new RateCharge(account.claim(entities), partitions.claim(partition, entities));
    }

    /**
     * The tokens of one attempt.
     *
     * @param account those of the account
     * @param partition those of its partition
     */
    record RateCharge(RateClaim account, RateClaim partition) {

        Mono<Void> acquire(Deadline deadline) {
            return account.acquire(deadline).then(partition.acquire(deadline));
        }

        void giveBack() {
            account.giveBack();
            partition.giveBack();
        }
    }
}

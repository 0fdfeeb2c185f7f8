package io.stowline.ring;

import io.stowline.observe.ServiceState;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The load of the accounts of a ring at one moment. Immutable.
 *
 * @param accounts the load of each account that has been used, by its name in the ring
 */
public record RingStats(Map<String, AccountLoad> accounts) {

    /**
     * Holds the loads.
     *
     * @param accounts the load of each account, by its name
     */
    public RingStats {
        Objects.requireNonNull(accounts, "accounts").keySet().forEach(name -> RingAccount.checkedName("account", name));
        accounts = Collections.unmodifiableMap(new TreeMap<>(accounts));
    }

    /**
     * Returns the load of all accounts together.
     *
     * @return the sums
     */
    public AccountLoad total() {
        return accounts.values().stream().reduce(AccountLoad.NONE, AccountLoad::plus);
    }

    /**
     * The load of one account or of several, all services together.
     *
     * @param permitLimit how many attempts may be in flight at present
     * @param permitsInUse how many attempts are in flight
     * @param permitsWaiting how many attempts wait for a permit
     * @param limitedPartitions how many partitions are held back because the service has throttled them
     * @param bufferedItems how many operations the open writers have accepted and not yet ended
     * @param bufferedBytes how many bytes these operations take on the wire
     * @param handlersRunning how many handlers of queue consumers run
     * @param messagesInHand how many messages the queue consumers hold
     * @param queueBacklog about how many messages the queues of consumers have
     * @param openBreakers how many circuit breakers let no request pass
     */
    public record AccountLoad(
            long permitLimit,
            long permitsInUse,
            long permitsWaiting,
            long limitedPartitions,
            long bufferedItems,
            long bufferedBytes,
            long handlersRunning,
            long messagesInHand,
            long queueBacklog,
            long openBreakers) {

        /** The load of an account that does nothing. */
        public static final AccountLoad NONE = new AccountLoad(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        /**
         * Returns the load of the services of one account.
         *
         * @param states the states of its services
         * @return the sums
         */
        public static AccountLoad of(Collection<ServiceState> states) {
            return Objects.requireNonNull(states, "states").stream()
                    .map(AccountLoad::of)
                    .reduce(NONE, AccountLoad::plus);
        }

        private static AccountLoad of(ServiceState state) {
            return new AccountLoad(
                    state.permitLimit(),
                    state.permitsInUse(),
                    state.permitsWaiting(),
                    state.limitedPartitions(),
                    state.bufferedItems(),
                    state.bufferedBytes(),
                    state.handlersRunning(),
                    state.messagesInHand(),
                    state.queueBacklog(),
                    state.breaker().equals("open") ? 1 : 0);
        }

        /**
         * Returns the sum of this load and another one.
         *
         * @param other the other load
         * @return the sums
         */
        public AccountLoad plus(AccountLoad other) {
            Objects.requireNonNull(other, "other");
            return new AccountLoad(
                    permitLimit + other.permitLimit,
                    permitsInUse + other.permitsInUse,
                    permitsWaiting + other.permitsWaiting,
                    limitedPartitions + other.limitedPartitions,
                    bufferedItems + other.bufferedItems,
                    bufferedBytes + other.bufferedBytes,
                    handlersRunning + other.handlersRunning,
                    messagesInHand + other.messagesInHand,
                    queueBacklog + other.queueBacklog,
                    openBreakers + other.openBreakers);
        }
    }
}

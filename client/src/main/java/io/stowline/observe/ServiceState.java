package io.stowline.observe;

import java.time.Duration;

/** The live state of a client's work with one service of an account, readable at any time and from any thread. */
public interface ServiceState {

    /**
     * Returns the account.
     *
     * @return its name
     */
    String account();

    /**
     * Returns the service.
     *
     * @return {@code table}, {@code queue} or {@code blob}
     */
    String service();

    /**
     * Returns how many attempts may be in flight at present.
     *
     * @return the limit of parallelism
     */
    int permitLimit();

    /**
     * Returns how many attempts are in flight; more than the limit while partitions of a writer get no response.
     *
     * @return the permits in use
     */
    int permitsInUse();

    /**
     * Returns how many attempts wait for a permit.
     *
     * @return the number
     */
    int permitsWaiting();

    /**
     * Returns how many partitions are held back because the service has throttled them.
     *
     * @return the number
     */
    int limitedPartitions();

    /**
     * Returns what the retry quota has left.
     *
     * @return its tokens
     */
    double quotaAvailable();

    /**
     * Returns what the retry quota holds when it is full.
     *
     * @return its tokens
     */
    double quotaCapacity();

    /**
     * Returns how many operations the open writers have accepted and not yet ended: what a crash can lose, unless they have a journal.
     *
     * @return the number; 0 for queues and blobs
     */
    long bufferedItems();

    /**
     * Returns how many bytes these operations take on the wire.
     *
     * @return the number; 0 for queues and blobs
     */
    long bufferedBytes();

    /**
     * Returns how many open writers with a journal are paused: the service refuses whatever they send. They hold what they accepted and
     * probe by themselves.
     *
     * @return the number; 0 for queues and blobs
     */
    long pausedWriters();

    /**
     * Returns how many handlers of queue consumers run.
     *
     * @return the number; 0 for tables and blobs
     */
    long handlersRunning();

    /**
     * Returns how many messages the queue consumers hold: those that wait for a handler, those that a handler has, and those that are
     * being deleted or given back.
     *
     * @return the number; 0 for tables and blobs
     */
    long messagesInHand();

    /**
     * Returns about how many messages the queues of consumers have, hidden ones too. A consumer reads it at most once a minute, and not
     * while its queue is idle.
     *
     * @return the number, as last read; 0 for tables and blobs
     */
    long queueBacklog();

    /**
     * Returns the time for which a poll of a consumer has been due without a response; of several the longest time. It grows while polls
     * fail or hang. Consumers that want no messages, since they are paused or all their handlers are busy, do not count.
     *
     * @return the time; zero if no poll is due
     */
    Duration pollAge();

    /**
     * Returns the age of the oldest message that the last polls of the consumers received.
     *
     * @return the time since it was sent, by the service's clock; zero if these polls received none
     */
    Duration oldestMessageAge();

    /**
     * Returns how many relays of the outbox run.
     *
     * @return the number; 0 for tables and blobs
     */
    long relaysRunning();

    /**
     * Returns about how many hints wait in the queue of the outbox, hidden ones too: those of transactions that run, of messages that wait
     * and of fences. A relay reads it at most once a minute; without one it is not known.
     *
     * @return the number, as last read; 0 without a relay, and for tables and blobs
     */
    long outboxHints();

    /**
     * Returns the age of the oldest hint that the last polls of the relays received.
     *
     * @return the time since it was sent, by the service's clock; zero if these polls received none
     */
    Duration oldestHintAge();

    /**
     * Returns how many hints the running relays have moved to their poison queue.
     *
     * @return the number since the start of each relay; 0 for tables and blobs
     */
    long hintsPoisoned();

    /**
     * Returns the circuit breaker.
     *
     * @return its state in lower case, such as {@code closed} or {@code open}; {@code off} if there is none
     */
    String breaker();

    /**
     * Returns the settings with which the client works.
     *
     * @return the settings at present
     */
    ClientInfo client();

    /**
     * Returns how far the service's clock is ahead of this machine's. Once a minute a response is compared, to the second.
     *
     * @return the difference, negative if this machine's clock is ahead; zero before the first response
     */
    Duration clockSkew();
}

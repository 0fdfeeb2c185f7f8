package io.stowline.observe;

/** What can be read of a client's work with one service of an account, at any time and from any thread. */
public interface ServiceState {

    /**
     * The account.
     *
     * @return its name
     */
    String account();

    /**
     * The service.
     *
     * @return {@code table}, {@code queue} or {@code blob}
     */
    String service();

    /**
     * How many attempts may be in flight at present.
     *
     * @return the limit of parallelism
     */
    int permitLimit();

    /**
     * How many attempts are in flight.
     *
     * @return the permits in use
     */
    int permitsInUse();

    /**
     * How many attempts wait for their turn.
     *
     * @return the number
     */
    int permitsWaiting();

    /**
     * How many partitions are held back because the service has throttled them.
     *
     * @return the number
     */
    int limitedPartitions();

    /**
     * What the retry quota has left.
     *
     * @return its tokens
     */
    double quotaAvailable();

    /**
     * What the retry quota holds when it is full.
     *
     * @return its tokens
     */
    double quotaCapacity();

    /**
     * How many operations the open writers have accepted and not yet ended: what a crash can lose, unless they have a journal.
     *
     * @return the number; 0 for queues and blobs
     */
    long bufferedItems();

    /**
     * How many bytes these operations take on the wire.
     *
     * @return the number; 0 for queues and blobs
     */
    long bufferedBytes();

    /**
     * How many open writers with a journal are paused: the service refuses whatever they send. They hold what they accepted and probe by
     * themselves.
     *
     * @return the number; 0 for queues and blobs
     */
    long pausedWriters();

    /**
     * The circuit breaker.
     *
     * @return its state in lower case, such as {@code closed} or {@code open}; {@code off} if there is none
     */
    String breaker();
}

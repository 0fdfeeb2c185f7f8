package io.stowline.observe;

import org.jspecify.annotations.Nullable;

/**
 * The end of one attempt of a request. It is the attempt itself, so that reporting it makes no object: its methods are called while
 * {@link StowlineListener#onAttemptEnd} runs, in its thread, and not later.
 *
 * <p>An attempt that its caller cancels has no such event. Keys and names are as the application gives them; they may be personal data.
 */
public interface AttemptEvent {

    /** The condition of a request on the version of what it reads or changes. */
    enum Condition {
        /** No condition, or only that something exists. */
        NONE,
        /** The version is the one that the request names, by {@code If-Match}. */
        IF_MATCH,
        /** The version is another one, or nothing exists, by {@code If-None-Match}. */
        IF_NONE_MATCH
    }

    /**
     * Returns the account.
     *
     * @return its name; of an Azure SDK client with a {@link io.stowline.StorageRetryPolicy} as its host shows it
     */
    String account();

    /**
     * Returns the service.
     *
     * @return {@code table}, {@code queue} or {@code blob}
     */
    String service();

    /**
     * Returns the verb of the request.
     *
     * @return the verb, such as {@code insert}, {@code find}, {@code query}, {@code transaction}, {@code receive} or {@code upload}; of an
     *     Azure SDK client the SDK's name of the request
     */
    String operation();

    /**
     * Returns the verb of the operation that the request is a part of. The {@code find} that reads an insert back has the caller {@code
     * insert}.
     *
     * @return the name of its {@link OperationInfo}; {@link #operation} of a request outside of any
     */
    String caller();

    /**
     * Returns the table, the queue or the container.
     *
     * @return its name; empty for requests on the account itself
     */
    String container();

    /**
     * Returns the partition that the request concerns.
     *
     * @return the partition key of a request for one partition of a table, the name of a blob; {@code null} of all others
     */
    @Nullable
    String partition();

    /**
     * Returns the row that the request concerns.
     *
     * @return the row key of a request for one entity; {@code null} of all others
     */
    @Nullable
    String row();

    /**
     * Returns the part of a table that the service searches for a read.
     *
     * @return such as {@code point} or {@code table-scan}; {@code null} of all but finds and queries
     */
    @Nullable
    String queryClass();

    /**
     * Returns whether the request changes the store. A receive counts as a read, as it is repeated like one.
     *
     * @return true for a write
     */
    boolean write();

    /**
     * Returns the condition on a version. That of operations within a transaction does not count.
     *
     * @return the condition
     */
    Condition condition();

    /**
     * Returns the media type that the request accepts, which shows the level of metadata of a table's rows.
     *
     * @return such as {@code application/json;odata=nometadata}; {@code null} where it names none
     */
    @Nullable
    String accept();

    /**
     * Returns the cost of the request towards the scalability targets: operations of a transaction, messages that a receive wants,
     * entities that a query is expected to scan.
     *
     * @return at least 1
     */
    int entities();

    /**
     * Counts the rows, messages or names in the response; the rows of a query's page are counted at each call.
     *
     * @return the number; -1 where the response has none, and of requests of Azure SDK clients
     */
    int returned();

    /**
     * Returns whether the response has a continuation, so that another page follows.
     *
     * @return true for a page that is not the last
     */
    boolean continued();

    /**
     * Returns the length of the request's body; one that broke off counts whole.
     *
     * @return the bytes; 0 for a request that was not sent
     */
    long bytesSent();

    /**
     * Returns the length of the response's body; of one that breaks off in a download the bytes until then.
     *
     * @return the bytes
     */
    long bytesReceived();

    /**
     * Returns the number of the attempt.
     *
     * @return 1 for the first
     */
    int number();

    /**
     * Returns the status of the response. A transaction that the service refused has the status of the refusal.
     *
     * @return the status; 0 without response
     */
    int status();

    /**
     * Returns the service's error code.
     *
     * @return such as {@code EntityAlreadyExists}; {@code null} where the response has none
     */
    @Nullable
    String errorCode();

    /**
     * Returns the kind of its end.
     *
     * @return the kind
     */
    AttemptReason reason();

    /**
     * Returns whether it may have been carried out although its response was lost.
     *
     * @return true for a write with a lost response
     */
    boolean ambiguous();

    /**
     * Returns whether the request checks that a resource exists, as {@code exists} does: 404 is its result.
     *
     * @return true for a check
     */
    boolean existenceCheck();

    /**
     * Returns the ETag of the response.
     *
     * @return the version; {@code null} where the response has none
     */
    @Nullable
    String etag();

    /**
     * Returns the range of a blob that the request names.
     *
     * @return the range, such as {@code bytes=0-1023}; {@code null} for the whole blob, and where it is not known
     */
    default @Nullable String range() {
        return null;
    }

    /**
     * Returns the wait for admission by the rate targets and the permits. The permit of a writer's batch comes before its first attempt.
     *
     * @return nanoseconds
     */
    long permitNanos();

    /**
     * Returns the time for which it waited for the connection that was opened for it.
     *
     * @return nanoseconds; 0 on a connection of the pool, and where another HTTP client than the library's sends it
     */
    long connectNanos();

    /**
     * Returns the time from its admission to its end, that of a new connection included.
     *
     * @return nanoseconds; 0 for an attempt that was not admitted
     */
    long elapsedNanos();
}

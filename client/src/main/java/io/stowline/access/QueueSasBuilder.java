package io.stowline.access;

/**
 * A builder of signatures for one queue. The queue itself is not created, cleared or deleted by them.
 *
 * @param <R> the result of signing
 */
public interface QueueSasBuilder<R> extends SasBuilder<QueueSasBuilder<R>, R> {

    /**
     * Allows peeking at messages, and reading metadata and the number of messages.
     *
     * @return this builder
     */
    QueueSasBuilder<R> canPeek();

    /**
     * Allows sending messages.
     *
     * @return this builder
     */
    QueueSasBuilder<R> canSend();

    /**
     * Allows receiving and deleting messages. A consumer also needs {@link #canUpdate}, which renews leases.
     *
     * @return this builder
     */
    QueueSasBuilder<R> canReceive();

    /**
     * Allows updating messages that were received.
     *
     * @return this builder
     */
    QueueSasBuilder<R> canUpdate();

    /**
     * Signs for a stored access policy of the queue; see {@link BlobServiceSasBuilder#byPolicy}.
     *
     * @param policy its identifier
     * @return this builder
     * @throws IllegalArgumentException if it is empty or longer than 64 characters
     */
    QueueSasBuilder<R> byPolicy(String policy);
}

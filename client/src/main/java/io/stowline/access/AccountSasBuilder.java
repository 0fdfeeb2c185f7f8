package io.stowline.access;

/**
 * A builder of signatures for a whole account, or some of its services. It takes an account key; prefer the signature of one resource. Name the services, the
 * levels and the permissions: what is not named is not allowed.
 *
 * @param <R> the result of signing
 */
public interface AccountSasBuilder<R> extends SasBuilder<AccountSasBuilder<R>, R> {

    /**
     * Opens the blobs.
     *
     * @return this builder
     */
    AccountSasBuilder<R> blobs();

    /**
     * Opens the queues.
     *
     * @return this builder
     */
    AccountSasBuilder<R> queues();

    /**
     * Opens the tables.
     *
     * @return this builder
     */
    AccountSasBuilder<R> tables();

    /**
     * Opens the services themselves: their properties, and the lists of containers, queues and tables.
     *
     * @return this builder
     */
    AccountSasBuilder<R> services();

    /**
     * Opens containers, queues and tables themselves: creating and deleting them, their metadata, the list of a container's blobs.
     *
     * @return this builder
     */
    AccountSasBuilder<R> containers();

    /**
     * Opens blobs, messages and entities.
     *
     * @return this builder
     */
    AccountSasBuilder<R> objects();

    /**
     * Allows reading, and peeking at messages.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canRead();

    /**
     * Allows writing blobs, metadata and properties, and creating containers, queues and tables.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canWrite();

    /**
     * Allows deleting.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canDelete();

    /**
     * Allows listing, and querying entities.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canList();

    /**
     * Allows adding messages, entities and blocks of append blobs.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canAdd();

    /**
     * Allows creating new blobs, containers, queues and tables, without replacing any.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canCreate();

    /**
     * Allows updating messages and entities.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canUpdate();

    /**
     * Allows receiving and deleting messages.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canReceive();

    /**
     * Allows reading and setting the tags of blobs.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canTag();

    /**
     * Allows finding blobs by their tags.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canFindByTags();

    /**
     * Allows deleting versions of blobs.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canDeleteVersions();

    /**
     * Allows deleting snapshots and versions for good.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canDeletePermanently();

    /**
     * Allows setting immutability policies and legal holds.
     *
     * @return this builder
     */
    AccountSasBuilder<R> canSetImmutability();

    /**
     * Requires that written blobs are encrypted by this encryption scope.
     *
     * @param scope its name
     * @return this builder
     */
    AccountSasBuilder<R> encryptedBy(String scope);
}

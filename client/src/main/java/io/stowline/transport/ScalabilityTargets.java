package io.stowline.transport;

/**
 * Rates above which the service throttles, for clients that wait rather than be refused. Off unless given to
 * {@code Stowline.builder().rateTargets(..)}.
 *
 * <p>The cost of a request:
 *
 * <pre>
 * entity group transaction   its entities
 * query                      one, and the entities that it returns beyond the first
 * receive                    the messages that it may bring
 * any other request          one
 * content of a blob          its bytes, sent or received
 * </pre>
 *
 * <p>A table's partition, a queue, a container and a blob are limited each by itself. What only an answer tells, such as the entities of a
 * page, is paid by the requests that come next. The figures hold for all clients of an account together: see {@link #share}; their sources
 * stand in {@link StorageLimits}. Immutable.
 *
 * @param accountEntities entities, messages and requests of an account in a second
 * @param partitionEntities entities of a table's partition in a second
 * @param queueMessages messages of a queue in a second
 * @param blobRequests requests to one blob in a second
 * @param blobBytes bytes to or from one blob in a second
 * @param pageBlobRequests requests for the pages of one page blob in a second
 * @param pageBlobBytes bytes of the pages of one page blob in a second
 */
public record ScalabilityTargets(
        double accountEntities,
        double partitionEntities,
        double queueMessages,
        double blobRequests,
        double blobBytes,
        double pageBlobRequests,
        double pageBlobBytes) {

    /**
     * Checks the rates.
     *
     * @param accountEntities entities, messages and requests of an account in a second
     * @param partitionEntities entities of a table's partition in a second
     * @param queueMessages messages of a queue in a second
     * @param blobRequests requests to one blob in a second
     * @param blobBytes bytes to or from one blob in a second
     * @param pageBlobRequests requests for the pages of one page blob in a second
     * @param pageBlobBytes bytes of the pages of one page blob in a second
     * @throws IllegalArgumentException if a rate is not above zero and finite
     */
    public ScalabilityTargets {
        positive("accountEntities", accountEntities);
        positive("partitionEntities", partitionEntities);
        positive("queueMessages", queueMessages);
        positive("blobRequests", blobRequests);
        positive("blobBytes", blobBytes);
        positive("pageBlobRequests", pageBlobRequests);
        positive("pageBlobBytes", pageBlobBytes);
    }

    private static void positive(String name, double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(name + " must be above 0 and finite but was " + rate);
        }
    }

    /**
     * Returns the targets that hold in every region and for every kind of blob: 20,000 for an account, 2,000 for a partition and a queue,
     * 500 requests and 60 MB for a blob.
     *
     * @return the targets
     */
    public static ScalabilityTargets everywhere() {
        return new ScalabilityTargets(
                StorageLimits.ACCOUNT_REQUESTS_PER_SECOND,
                StorageLimits.PARTITION_ENTITIES_PER_SECOND,
                StorageLimits.QUEUE_MESSAGES_PER_SECOND,
                StorageLimits.BLOB_REQUESTS_PER_SECOND,
                StorageLimits.BLOB_BYTES_PER_SECOND,
                StorageLimits.PAGE_BLOB_REQUESTS_PER_SECOND,
                StorageLimits.PAGE_BLOB_BYTES_PER_SECOND);
    }

    /**
     * Returns the higher targets of today in the large regions: 40,000 for an account, and 3,000 requests for a block blob, whose bytes are
     * bounded by the account's ingress of 60 Gbps only. The pages of a page blob keep their 500 requests and 60 MiB.
     *
     * @return the targets
     */
    public static ScalabilityTargets largeRegions() {
        return new ScalabilityTargets(
                StorageLimits.LARGE_REGION_ACCOUNT_REQUESTS_PER_SECOND,
                StorageLimits.PARTITION_ENTITIES_PER_SECOND,
                StorageLimits.QUEUE_MESSAGES_PER_SECOND,
                StorageLimits.BLOCK_BLOB_REQUESTS_PER_SECOND,
                StorageLimits.LARGE_REGION_INGRESS_BYTES_PER_SECOND,
                StorageLimits.PAGE_BLOB_REQUESTS_PER_SECOND,
                StorageLimits.PAGE_BLOB_BYTES_PER_SECOND);
    }

    /**
     * Returns a part of these targets, for one of several clients that share the account.
     *
     * @param part more than 0, at most 1
     * @return the part of each rate
     * @throws IllegalArgumentException if the part is out of range
     */
    public ScalabilityTargets share(double part) {
        if (!(part > 0) || part > 1) {
            throw new IllegalArgumentException("part must be above 0 and at most 1 but was " + part);
        }
        return new ScalabilityTargets(
                accountEntities * part,
                partitionEntities * part,
                queueMessages * part,
                blobRequests * part,
                blobBytes * part,
                pageBlobRequests * part,
                pageBlobBytes * part);
    }
}

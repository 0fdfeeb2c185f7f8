package io.stowline.transport;

import java.time.Duration;
import java.util.Objects;

/**
 * The rates above which the service throttles, for clients that wait rather than be refused. Off unless given to
 * {@code Stowline.builder().rateTargets(..)}.
 *
 * <p>The cost of a request:
 *
 * <pre>
 * entity group transaction        its entities
 * page of a query by keys         the entities that it returns, at least one
 * page of any other query         1,000: the entities that the service scans for it, as an estimate
 * receive                         the messages that it returns, at least one
 * any other request               one
 * content of a blob               its bytes, sent or received
 * </pre>
 *
 * <p>A table's partition, a queue, a container and a blob are limited each by itself. What only a response shows, such as the entities of a first
 * page, is paid by the requests that come next. The figures hold for all clients of an account together: see {@link #share}; their sources
 * stand in {@link StorageLimits}. Immutable and thread-safe.
 *
 * <p>The service moves partitions to other machines as their load grows, which takes minutes; a sudden load is throttled until then. {@link
 * #rampOver} lets the rates rise slowly. A ramp begins with the first request, at a tenth of each rate and with nothing saved, and begins again
 * with the first request after a pause as long as itself.
 *
 * @param accountEntities the limit of entities, messages and requests of an account in a second
 * @param partitionEntities the limit of entities of a table's partition in a second
 * @param queueMessages the limit of messages of a queue in a second
 * @param blobRequests the limit of requests to one blob in a second
 * @param blobBytes the limit of bytes to or from one blob in a second
 * @param pageBlobRequests the limit of requests for the pages of one page blob in a second
 * @param pageBlobBytes the limit of bytes of the pages of one page blob in a second
 * @param rampOver the time in which the rates rise from a tenth to these values, zero for none
 */
public record ScalabilityTargets(
        double accountEntities,
        double partitionEntities,
        double queueMessages,
        double blobRequests,
        double blobBytes,
        double pageBlobRequests,
        double pageBlobBytes,
        Duration rampOver) {

    private static final Duration MIN_RAMP = Duration.ofSeconds(1);
    private static final Duration MAX_RAMP = Duration.ofDays(1);

    private static final ScalabilityTargets EVERYWHERE = new ScalabilityTargets(
            StorageLimits.ACCOUNT_REQUESTS_PER_SECOND,
            StorageLimits.PARTITION_ENTITIES_PER_SECOND,
            StorageLimits.QUEUE_MESSAGES_PER_SECOND,
            StorageLimits.BLOB_REQUESTS_PER_SECOND,
            StorageLimits.BLOB_BYTES_PER_SECOND,
            StorageLimits.PAGE_BLOB_REQUESTS_PER_SECOND,
            StorageLimits.PAGE_BLOB_BYTES_PER_SECOND,
            Duration.ZERO);

    /**
     * Checks the rates and the ramp.
     *
     * @param accountEntities the limit of entities, messages and requests of an account in a second
     * @param partitionEntities the limit of entities of a table's partition in a second
     * @param queueMessages the limit of messages of a queue in a second
     * @param blobRequests the limit of requests to one blob in a second
     * @param blobBytes the limit of bytes to or from one blob in a second
     * @param pageBlobRequests the limit of requests for the pages of one page blob in a second
     * @param pageBlobBytes the limit of bytes of the pages of one page blob in a second
     * @param rampOver the time in which the rates rise from a tenth to these values, zero for none
     * @throws IllegalArgumentException if a rate is not above zero and finite, or the ramp is neither zero nor a second to a day
     */
    public ScalabilityTargets {
        positive("accountEntities", accountEntities);
        positive("partitionEntities", partitionEntities);
        positive("queueMessages", queueMessages);
        positive("blobRequests", blobRequests);
        positive("blobBytes", blobBytes);
        positive("pageBlobRequests", pageBlobRequests);
        positive("pageBlobBytes", pageBlobBytes);
        ramp(rampOver);
    }

    /**
     * Returns the targets that hold in every region and for every kind of blob: 20,000 for an account, 2,000 for a partition and a queue,
     * 500 requests and 60 MB for a blob.
     *
     * @return the targets
     */
    public static ScalabilityTargets everywhere() {
        return EVERYWHERE;
    }

    /**
     * Returns the higher targets of today in the large regions: 40,000 for an account, and 3,000 requests for a block blob, whose bytes are
     * bounded by the account's ingress of 60 Gbps only. The pages of a page blob keep their 500 requests and 60 MiB.
     *
     * @return the targets
     */
    public static ScalabilityTargets largeRegions() {
        return everywhere().toBuilder()
                .accountEntities(StorageLimits.LARGE_REGION_ACCOUNT_REQUESTS_PER_SECOND)
                .blobRequests(StorageLimits.BLOCK_BLOB_REQUESTS_PER_SECOND)
                .blobBytes(StorageLimits.LARGE_REGION_INGRESS_BYTES_PER_SECOND)
                .build();
    }

    /**
     * Begins targets of the application's own, with the values of these.
     *
     * @return a builder
     */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * Returns a part of these targets, for one of several clients that share the account. The ramp stays.
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
                pageBlobBytes * part,
                rampOver);
    }

    /** A builder of {@link ScalabilityTargets}. Not thread-safe. */
    public static final class Builder {

        private double accountEntities;
        private double partitionEntities;
        private double queueMessages;
        private double blobRequests;
        private double blobBytes;
        private double pageBlobRequests;
        private double pageBlobBytes;
        private Duration rampOver;

        private Builder(ScalabilityTargets rates) {
            this.accountEntities = rates.accountEntities;
            this.partitionEntities = rates.partitionEntities;
            this.queueMessages = rates.queueMessages;
            this.blobRequests = rates.blobRequests;
            this.blobBytes = rates.blobBytes;
            this.pageBlobRequests = rates.pageBlobRequests;
            this.pageBlobBytes = rates.pageBlobBytes;
            this.rampOver = rates.rampOver;
        }

        /**
         * Sets the limit of entities, messages and requests of an account in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder accountEntities(double perSecond) {
            this.accountEntities = positive("accountEntities", perSecond);
            return this;
        }

        /**
         * Sets the limit of entities of a table's partition in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder partitionEntities(double perSecond) {
            this.partitionEntities = positive("partitionEntities", perSecond);
            return this;
        }

        /**
         * Sets the limit of messages of a queue in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder queueMessages(double perSecond) {
            this.queueMessages = positive("queueMessages", perSecond);
            return this;
        }

        /**
         * Sets the limit of requests to one blob in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder blobRequests(double perSecond) {
            this.blobRequests = positive("blobRequests", perSecond);
            return this;
        }

        /**
         * Sets the limit of bytes to or from one blob in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder blobBytes(double perSecond) {
            this.blobBytes = positive("blobBytes", perSecond);
            return this;
        }

        /**
         * Sets the limit of requests for the pages of one page blob in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder pageBlobRequests(double perSecond) {
            this.pageBlobRequests = positive("pageBlobRequests", perSecond);
            return this;
        }

        /**
         * Sets the limit of bytes of the pages of one page blob in a second.
         *
         * @param perSecond the rate
         * @return this
         * @throws IllegalArgumentException if it is not above zero and finite
         */
        public Builder pageBlobBytes(double perSecond) {
            this.pageBlobBytes = positive("pageBlobBytes", perSecond);
            return this;
        }

        /**
         * Lets the rates rise slowly: from a tenth, with the first request and with the first one after a pause of this length, to the whole.
         * Five minutes give the service time to spread the load.
         *
         * @param duration a second to a day; zero, the default, for no ramp
         * @return this
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder rampOver(Duration duration) {
            this.rampOver = ramp(duration);
            return this;
        }

        /**
         * Makes the targets.
         *
         * @return the targets
         */
        public ScalabilityTargets build() {
            return new ScalabilityTargets(
                    accountEntities,
                    partitionEntities,
                    queueMessages,
                    blobRequests,
                    blobBytes,
                    pageBlobRequests,
                    pageBlobBytes,
                    rampOver);
        }
    }

    private static double positive(String name, double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(name + " must be above 0 and finite but was " + rate);
        }
        return rate;
    }

    private static Duration ramp(Duration duration) {
        Objects.requireNonNull(duration, "rampOver");
        boolean rises = duration.compareTo(MIN_RAMP) >= 0 && duration.compareTo(MAX_RAMP) <= 0;
        if (!rises && !duration.isZero()) {
            throw new IllegalArgumentException(
                    "rampOver must be " + MIN_RAMP + " to " + MAX_RAMP + ", or zero for none, but was " + duration);
        }
        return duration;
    }
}

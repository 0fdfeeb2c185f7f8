package io.stowline.transport;

/**
 * Rates above which the service throttles, for clients that would rather wait than be refused. Off unless given to
 * {@code Stowline.builder().stayBelow(..)}.
 *
 * <p>An entity group transaction counts as its entities, a receive as the messages that it may bring, any other request as one. The
 * figures are those of Microsoft's pages "Scalability and performance targets" of Azure Storage. They hold for all clients of an account
 * together: see {@link #share}. Immutable.
 *
 * @param accountEntities entities, messages and requests of an account in a second
 * @param partitionEntities entities of a table's partition in a second
 * @param queueMessages messages of a queue in a second
 * @param blobRequests requests to one blob in a second
 * @param blobBytes bytes to or from one blob in a second
 */
public record ScalabilityTargets(
        double accountEntities, double partitionEntities, double queueMessages, double blobRequests, double blobBytes) {

    private static final double MB = 1_000_000;

    /**
     * Checks the rates.
     *
     * @param accountEntities entities, messages and requests of an account in a second
     * @param partitionEntities entities of a table's partition in a second
     * @param queueMessages messages of a queue in a second
     * @param blobRequests requests to one blob in a second
     * @param blobBytes bytes to or from one blob in a second
     * @throws IllegalArgumentException if a rate is not above zero and finite
     */
    public ScalabilityTargets {
        positive("accountEntities", accountEntities);
        positive("partitionEntities", partitionEntities);
        positive("queueMessages", queueMessages);
        positive("blobRequests", blobRequests);
        positive("blobBytes", blobBytes);
    }

    private static void positive(String name, double rate) {
        if (!(rate > 0) || Double.isInfinite(rate)) {
            throw new IllegalArgumentException(name + " must be above 0 and finite but was " + rate);
        }
    }

    /**
     * The targets that hold in every region: 20,000 for an account, 2,000 for a partition and a queue, 500 requests and 60 MB for a blob.
     *
     * @return the targets
     */
    public static ScalabilityTargets everywhere() {
        return new ScalabilityTargets(20_000, 2_000, 2_000, 500, 60 * MB);
    }

    /**
     * The higher targets of today in the large regions: 40,000 for an account, and 3,000 requests for a block blob, whose bytes
     * are bounded by the account's ingress of 60 Gbps only.
     *
     * @return the targets
     */
    public static ScalabilityTargets largeRegions() {
        return new ScalabilityTargets(40_000, 2_000, 2_000, 3_000, 7_500 * MB);
    }

    /**
     * A part of these targets, for one of several clients that share the account.
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
                blobBytes * part);
    }
}

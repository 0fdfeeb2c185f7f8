package io.stowline.system.ledger.consumer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one seed. Immutable.
 *
 * @param seed the seed
 * @param ends how many consumers were ended early, by the way of it
 * @param lostResponses how many responses the proxies have lost
 * @param gatewayResponses how many responses a gateway has made in the place of the service
 * @param givenUp for how many responses the consumers have not waited, since the machine was slow
 * @param figures what became of the messages
 * @param violations wrong reports with their whole story, and messages that were deleted without having been handled
 */
public record ConsumerPage(
        long seed,
        Map<String, Integer> ends,
        int lostResponses,
        int gatewayResponses,
        int givenUp,
        Figures figures,
        List<String> violations) {

    /**
     * Copies what it is given.
     *
     * @param seed the seed
     * @param ends how many consumers were ended early, by the way of it
     * @param lostResponses how many responses the proxies have lost
     * @param gatewayResponses how many responses a gateway has made in the place of the service
     * @param givenUp for how many responses the consumers have not waited
     * @param figures what became of the messages
     * @param violations wrong reports
     */
    public ConsumerPage {
        ends = new TreeMap<>(ends);
        violations = List.copyOf(violations);
    }

    /**
     * The counts of the ends of messages.
     *
     * @param messages how many there were
     * @param once how many were handled once
     * @param oftener how many were handled more than once
     * @param inHand how many deliveries a handler had when its client was closed or its process killed
     * @param interrupted how many handlings were interrupted, because the consumer had lost the message or was ended
     * @param left how many were still in the queue, unhandled, when the run ended
     * @param unknown how many reports say that the outcome is unknown
     * @param wrong how many messages had a wrong report
     * @param lost how many were deleted without having been handled
     * @param poisoned how many are in the poison queue, where none belongs
     */
    public record Figures(
            int messages,
            int once,
            int oftener,
            int inHand,
            int interrupted,
            int left,
            int unknown,
            int wrong,
            int lost,
            int poisoned) {}

    /** Returns one line. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + ends + ", " + lostResponses + " lost responses, " + gatewayResponses
                + " of gateways, " + givenUp
                + " given up, " + figures + ", violations "
                + violations.size();
    }
}

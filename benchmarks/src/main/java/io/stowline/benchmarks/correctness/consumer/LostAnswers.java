package io.stowline.benchmarks.correctness.consumer;

import static io.stowline.testkit.RequestMatch.requests;

import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.SentRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Loses five of a hundred responses to one consumer: to receives, to updates and to deletions, by its seed. Thread-safe. */
final class LostAnswers {

    private static final double LOST = 0.05;

    private final String queue;
    private final long seed;
    private final Map<String, Integer> counts = new HashMap<>();

    LostAnswers(String queue, long seed) {
        this.queue = queue;
        this.seed = seed;
    }

    /** Loses responses at this proxy until the proxy is cleared. */
    void at(FaultProxy door) {
        door.when(requests().when("a lost response", this::isLost)).loseAnswer();
    }

    private synchronized boolean isLost(SentRequest request) {
        if (!request.path().contains("/" + queue + "/messages")) {
            return false;
        }
        int ordinal = counts.merge(request.method(), 1, Integer::sum);
        return new Random((seed * 31 + request.method().hashCode()) * 1_000_003L + ordinal * 7_919L).nextDouble()
                < LOST;
    }
}

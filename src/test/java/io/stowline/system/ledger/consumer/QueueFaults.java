package io.stowline.system.ledger.consumer;

import static io.stowline.testkit.RequestMatch.requests;

import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Fault;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.SentRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The faults of one consumer, by its seed. Of a hundred requests (receives, updates and deletions) five lose their response, and for four a
 * gateway responds: before the service has the request, or after. Thread-safe.
 */
final class QueueFaults {

    private static final int ALL = 1_000;
    private static final int LOST = 50;
    private static final int GATEWAYS = 90;
    private static final List<Integer> STATUSES = List.of(404, 502, 200);

    private final String queue;
    private final long seed;
    private final ClosingPoint point;
    private final CountDownLatch first = new CountDownLatch(1);
    private final Map<String, Integer> counts = new HashMap<>();
    private final IdentityHashMap<SentRequest, String> decided = new IdentityHashMap<>();

    /** The faults of a consumer that ends at this point. */
    QueueFaults(String queue, long seed, ClosingPoint point) {
        this.queue = queue;
        this.seed = seed;
        this.point = point;
    }

    /** Waits until the consumer has sent a request. Returns whether it has. */
    boolean awaitRequest(Duration atMost) throws InterruptedException {
        return first.await(atMost.toSeconds(), TimeUnit.SECONDS);
    }

    /** Lets these faults happen at this proxy until the proxy is cleared. */
    void at(FaultProxy door) {
        on(door, "lost").loseResponse();
        for (int status : STATUSES) {
            on(door, "before " + status).respond(Fault.page(status));
            on(door, "after " + status).forwardThenRespond(Fault.page(status));
        }
    }

    private FaultRule on(FaultProxy door, String fault) {
        return door.when(requests().when(fault, request -> decide(request).equals(fault)));
    }

    private synchronized String decide(SentRequest request) {
        return request.path().contains("/" + queue + "/messages")
                ? decided.computeIfAbsent(request, this::decideOnce)
                : "";
    }

    private String decideOnce(SentRequest request) {
        point.request();
        first.countDown();
        int ordinal = counts.merge(request.method(), 1, Integer::sum);
        Random random = new Random((seed * 31 + request.method().hashCode()) * 1_000_003L + ordinal * 7_919L);
        int choice = random.nextInt(ALL);
        if (choice < LOST) {
            return "lost";
        }
        return choice < GATEWAYS
                ? (random.nextBoolean() ? "before " : "after ") + STATUSES.get(random.nextInt(STATUSES.size()))
                : "";
    }
}

package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The actions that rules are made of. */
public final class FaultPlan {

    private static final int GARBLED_EVERY = 16;

    private FaultPlan() {}

    /** Responds without the service. */
    public static FaultAction respond(StubResponse response) {
        return new FaultAction("answer " + response, (passage, rest) -> FaultOutcome.responded(response));
    }

    /** Replaces the response of the service. */
    public static FaultAction forwardThenRespond(StubResponse response) {
        return new FaultAction("forward, then answer " + response, (passage, rest) -> {
            FaultOutcome outcome = rest.go();
            return outcome.ending() == Ending.RESPONDED ? FaultOutcome.responded(response) : outcome;
        });
    }

    /** Resets the connection instead of forwarding. */
    public static FaultAction reset() {
        return instead("reset", Ending.RESET);
    }

    /** Resets the connection instead of forwarding, and has connections refused from then on. */
    public static FaultAction refuse() {
        return instead("refuse connections", Ending.REFUSED);
    }

    private static FaultAction instead(String name, Ending ending) {
        return new FaultAction(name, (passage, rest) -> FaultOutcome.broken(ending, ""));
    }

    /** Forwards, and resets the connection without a response. */
    public static FaultAction loseResponse() {
        return afterwards("lose the response", Ending.LOST);
    }

    /** Forwards, and sends bytes that are not HTTP in place of the response. */
    public static FaultAction malformed() {
        return afterwards("answer what is not HTTP", Ending.MALFORMED);
    }

    private static FaultAction afterwards(String name, Ending ending) {
        return new FaultAction(name, (passage, rest) -> {
            FaultOutcome outcome = rest.go();
            return outcome.ending() == Ending.RESPONDED ? FaultOutcome.broken(ending, "") : outcome;
        });
    }

    /**
     * Sends the beginning of the response, then resets the connection.
     *
     * @param bytes how many bytes of the body are sent
     */
    public static FaultAction cutResponse(int bytes) {
        return new FaultAction("cut the response after " + bytes + " bytes", (passage, rest) -> rest.go()
                .cutAfter(bytes));
    }

    /**
     * Sends a response of the same length with wrong bytes in it.
     *
     * @param seed decides which bytes
     */
    public static FaultAction garble(long seed) {
        AtomicLong times = new AtomicLong();
        return new FaultAction("garble the response", (passage, rest) -> {
            FaultOutcome outcome = rest.go();
            StubResponse response = outcome.response();
            return response == null
                    ? outcome
                    : new FaultOutcome(
                            Ending.GARBLED,
                            outcome.reason(),
                            response.body(garbled(response.body(), new Random(seed + times.getAndIncrement()))),
                            outcome.delivery());
        });
    }

    private static byte[] garbled(byte[] body, Random random) {
        for (int block = 0; block < body.length; block += GARBLED_EVERY) {
            int place = block + random.nextInt(Math.min(GARBLED_EVERY, body.length - block));
            body[place] ^= (byte) (1 + random.nextInt(255));
        }
        return body;
    }

    /**
     * Waits before what follows.
     *
     * @param delay how long
     */
    public static FaultAction delayBefore(Duration delay) {
        return before("delay by " + delay, passage -> passage.pause(delay.toNanos()));
    }

    /**
     * Waits after what follows.
     *
     * @param delay how long
     */
    public static FaultAction delayAfter(Duration delay) {
        return after("delay the response by " + delay, passage -> passage.pause(delay.toNanos()));
    }

    /**
     * Waits for a gate before what follows.
     *
     * @param gate opens when requests may go on
     * @param arrivals notified of each request that comes to the gate
     */
    public static FaultAction holdBefore(CountDownLatch gate, Consumer<SentRequest> arrivals) {
        return before("hold", waitFor(gate, arrivals));
    }

    /**
     * Waits for a gate after what follows.
     *
     * @param gate opens when responses may go on
     * @param arrivals notified of each request whose response comes to the gate
     */
    public static FaultAction holdAfter(CountDownLatch gate, Consumer<SentRequest> arrivals) {
        return after("hold the response", waitFor(gate, arrivals));
    }

    private static Wait waitFor(CountDownLatch gate, Consumer<SentRequest> arrivals) {
        return passage -> {
            arrivals.accept(passage.request());
            return passage.await(gate, Long.MAX_VALUE);
        };
    }

    /**
     * Forwards the request as late, and sends the response as slowly, as a narrow line would.
     *
     * @param bytesPerSecond how much goes through in a second
     */
    public static FaultAction bandwidth(long bytesPerSecond) {
        return new FaultAction("bandwidth " + bytesPerSecond + " bytes/s", (passage, rest) -> {
            FaultOutcome dropped =
                    passage.pause(BandwidthLimiter.nanos(passage.request().bodyLength(), bytesPerSecond));
            return (dropped == null ? rest.go() : dropped).paced(bytesPerSecond);
        });
    }

    private static FaultAction before(String name, Wait wait) {
        return new FaultAction(name, (passage, rest) -> {
            FaultOutcome dropped = wait.on(passage);
            return dropped == null ? rest.go() : dropped;
        });
    }

    private static FaultAction after(String name, Wait wait) {
        return new FaultAction(name, (passage, rest) -> {
            FaultOutcome outcome = rest.go();
            FaultOutcome dropped = outcome.ending() == Ending.DROPPED ? outcome : wait.on(passage);
            return dropped == null ? outcome : dropped;
        });
    }

    /** Something that a request waits for. */
    @FunctionalInterface
    private interface Wait {

        @Nullable
        FaultOutcome on(ProxyExchange passage) throws InterruptedException;
    }
}

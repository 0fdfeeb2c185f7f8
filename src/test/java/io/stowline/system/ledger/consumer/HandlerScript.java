package io.stowline.system.ledger.consumer;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Script of what the handlers of one seed do with each message: the seed and the number of the message decide, in each process the same. */
final class HandlerScript {

    /** A lease of this time is renewed during slow handlings. */
    static final Duration LEASE = Duration.ofSeconds(10);

    static final int MESSAGES = 160;

    private final long seed;

    HandlerScript(long seed) {
        this.seed = seed;
    }

    /** A way to handle a message. */
    enum Handling {
        /** Is done within a few milliseconds. */
        QUICK,
        /** Quick, too, and ends its message itself where the client has a verb for that. */
        ENDS_ITSELF,
        /** Takes more than half of a lease. */
        SLOW,
        /** Throws at the first delivery. */
        FAILS_ONCE
    }

    static List<String> bodies() {
        return IntStream.range(0, MESSAGES).mapToObj(n -> "message " + n).toList();
    }

    private Random random(String body) {
        return new Random(seed * 1_000_003L + body.hashCode());
    }

    Handling of(String body) {
        int choice = random(body).nextInt(100);
        return choice < 30
                ? Handling.SLOW
                : choice < 40 ? Handling.FAILS_ONCE : choice < 60 ? Handling.ENDS_ITSELF : Handling.QUICK;
    }

    /** Works for as long as the message needs. */
    void handle(String body, long delivery) throws InterruptedException {
        Handling handling = of(body);
        int more = random(body).nextInt(20);
        Thread.sleep(handling == Handling.SLOW ? LEASE.toMillis() / 2 + 300 + 50L * more : more);
        if (handling == Handling.FAILS_ONCE && delivery == 1) {
            throw new IllegalStateException("the first handling fails");
        }
    }
}

package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.RecordedExchange.Ending;
import io.stowline.testkit.StubResponse;
import org.jspecify.annotations.Nullable;

/**
 * The end of a request at the client's side.
 *
 * @param ending how the exchange ends
 * @param reason why, empty where the ending suffices
 * @param response what the client is sent, or {@code null} when it is sent nothing
 * @param delivery how the response is sent
 */
record FaultOutcome(Ending ending, String reason, @Nullable StubResponse response, Delivery delivery) {

    static FaultOutcome responded(StubResponse response) {
        return new FaultOutcome(Ending.RESPONDED, "", response, Delivery.WHOLE);
    }

    static FaultOutcome broken(Ending ending, String reason) {
        return new FaultOutcome(ending, reason, null, Delivery.WHOLE);
    }

    static FaultOutcome timedOut(String reason, StubResponse response) {
        return new FaultOutcome(Ending.DROPPED, reason, response, Delivery.WHOLE);
    }

    FaultOutcome cutAfter(int bytes) {
        return response == null ? this : new FaultOutcome(Ending.CUT, reason, response, delivery.cutAfter(bytes));
    }

    FaultOutcome paced(long bytesPerSecond) {
        return new FaultOutcome(ending, reason, response, delivery.paced(bytesPerSecond));
    }

    /** Returns whether the client gets anything. */
    boolean isSent() {
        return response != null || ending == Ending.MALFORMED;
    }
}

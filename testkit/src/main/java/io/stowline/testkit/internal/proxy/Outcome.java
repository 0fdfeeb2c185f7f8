package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.CannedAnswer;
import io.stowline.testkit.RecordedExchange.Ending;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request at the client's side.
 *
 * @param ending how the exchange ends
 * @param reason why, empty where the ending says it all
 * @param answer what the client is sent, or {@code null} when it is sent nothing
 * @param delivery how the answer is sent
 */
record Outcome(Ending ending, String reason, @Nullable CannedAnswer answer, Delivery delivery) {

    static Outcome answered(CannedAnswer answer) {
        return new Outcome(Ending.ANSWERED, "", answer, Delivery.WHOLE);
    }

    static Outcome broken(Ending ending, String reason) {
        return new Outcome(ending, reason, null, Delivery.WHOLE);
    }

    static Outcome timedOut(String reason, CannedAnswer answer) {
        return new Outcome(Ending.DROPPED, reason, answer, Delivery.WHOLE);
    }

    Outcome cutAfter(int bytes) {
        return answer == null ? this : new Outcome(Ending.CUT, reason, answer, delivery.cutAfter(bytes));
    }

    Outcome paced(long bytesPerSecond) {
        return new Outcome(ending, reason, answer, delivery.paced(bytesPerSecond));
    }

    /** Whether the client is sent anything. */
    boolean isSent() {
        return answer != null || ending == Ending.MALFORMED;
    }
}

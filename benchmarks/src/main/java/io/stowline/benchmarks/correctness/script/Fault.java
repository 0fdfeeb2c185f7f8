package io.stowline.benchmarks.correctness.script;

import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.time.Duration;

/** What may happen to a request. */
public enum Fault {
    RESET(8, false),
    LOSE(20, true),
    ERROR_BEFORE(6, false),
    ERROR_AFTER(8, true),
    TIMED_OUT_AFTER(5, true),
    // Throttling is the one refusal that the service vouches for; any other 503 may come from a machine in between.
    BUSY(6, false),
    UNAVAILABLE_AFTER(6, true),
    REQUEST_TIMEOUT_BEFORE(4, false),
    REQUEST_TIMEOUT_AFTER(6, true),
    CUT(5, true),
    SLOW(8, true),
    /** The connection breaks, and the request is applied later. */
    LATE_AFTER_RESET(8, true),
    /** The request is stuck until the client has gone, and is applied later. */
    LATE_AFTER_HOLD(8, true);

    private static final int CUT_AT = 40;

    private final int weight;
    private final boolean applies;

    Fault(int weight, boolean applies) {
        this.weight = weight;
        this.applies = applies;
    }

    int weight() {
        return weight;
    }

    /** Whether the request may be applied although its answer does not come. */
    boolean applies() {
        return applies;
    }

    boolean isLate() {
        return this == LATE_AFTER_RESET || this == LATE_AFTER_HOLD;
    }

    /** Makes a rule do this. */
    public FaultRule put(FaultRule rule) {
        return switch (this) {
            case RESET, LATE_AFTER_RESET -> rule.reset();
            case LOSE -> rule.loseAnswer();
            case ERROR_BEFORE -> rule.answer(error(500, "InternalError"));
            case ERROR_AFTER -> rule.forwardThenAnswer(error(500, "InternalError"));
            case TIMED_OUT_AFTER -> rule.forwardThenAnswer(error(500, "OperationTimedOut"));
            case BUSY -> rule.answer(error(503, "ServerBusy"));
            case UNAVAILABLE_AFTER -> rule.forwardThenAnswer(StubResponse.of(503));
            case REQUEST_TIMEOUT_BEFORE -> rule.answer(StubResponse.of(408));
            case REQUEST_TIMEOUT_AFTER -> rule.forwardThenAnswer(StubResponse.of(408));
            case CUT -> rule.cutAnswer(CUT_AT);
            case SLOW -> rule.delayAfter(Duration.ofMillis(600));
            case LATE_AFTER_HOLD -> rule.delayBefore(Duration.ofSeconds(20));
        };
    }

    private static StubResponse error(int status, String code) {
        return StubResponse.tableError(status, code, "The ledger says so.");
    }
}

package io.stowline.system.ledger.script;

import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.Locale;

/** The faults of requests. */
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
    // A gateway responds in the place of the service, without its marks: before the request has reached it, and after.
    GATEWAY_404_BEFORE(4, false),
    GATEWAY_404_AFTER(4, true),
    GATEWAY_502_BEFORE(2, false),
    GATEWAY_502_AFTER(4, true),
    GATEWAY_PAGE_BEFORE(4, false),
    GATEWAY_PAGE_AFTER(4, true),
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

    /** Returns whether the request may be applied although its response does not come. */
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
            case LOSE -> rule.loseResponse();
            case ERROR_BEFORE -> rule.respond(error(500, "InternalError"));
            case ERROR_AFTER -> rule.forwardThenRespond(error(500, "InternalError"));
            case TIMED_OUT_AFTER -> rule.forwardThenRespond(error(500, "OperationTimedOut"));
            case BUSY -> rule.respond(error(503, "ServerBusy"));
            case UNAVAILABLE_AFTER -> rule.forwardThenRespond(StubResponse.of(503));
            case REQUEST_TIMEOUT_BEFORE -> rule.respond(StubResponse.of(408));
            case REQUEST_TIMEOUT_AFTER -> rule.forwardThenRespond(StubResponse.of(408));
            case GATEWAY_404_BEFORE -> rule.respond(page(404));
            case GATEWAY_404_AFTER -> rule.forwardThenRespond(page(404));
            case GATEWAY_502_BEFORE -> rule.respond(page(502));
            case GATEWAY_502_AFTER -> rule.forwardThenRespond(page(502));
            case GATEWAY_PAGE_BEFORE -> rule.respond(page(200));
            case GATEWAY_PAGE_AFTER -> rule.forwardThenRespond(page(200));
            case CUT -> rule.cutResponse(CUT_AT);
            case SLOW -> rule.delayAfter(Duration.ofMillis(600));
            case LATE_AFTER_HOLD -> rule.delayBefore(Duration.ofSeconds(20));
        };
    }

    /** Returns a page as gateways send it, by a rule that other benchmarks of this kind share. */
    public static StubResponse page(int status) {
        return StubResponse.of(status)
                .body("text/html; charset=utf-8", "<html><body><h1>" + status + "</h1><p>gateway</p></body></html>");
    }

    private static StubResponse error(int status, String code) {
        return StubResponse.tableError(status, code, "The ledger says so.");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

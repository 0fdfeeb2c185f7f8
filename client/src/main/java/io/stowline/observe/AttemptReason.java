package io.stowline.observe;

import io.stowline.retry.AttemptLog;
import io.stowline.retry.AttemptLog.ThrottleScope;
import java.util.Locale;
import java.util.Set;

/** The kinds of ends of attempts, as tag values: a verdict's reason is free text, which has too many values for a tag. */
enum AttemptReason {
    SUCCESS,
    ABSENT,
    THROTTLED_PARTITION,
    THROTTLED_ACCOUNT,
    SERVER_ERROR,
    TIMEOUT,
    CONNECTION,
    UNREADABLE,
    REMEDIED,
    CREDENTIAL,
    HELD_BACK,
    REFUSED,
    OTHER;

    private static final Set<String> NOT_ADMITTED =
            Set.of("GateTimeoutException", "RateTimeoutException", "BreakerOpenException");
    /** The error codes of a missing table, queue or container: such a 404 proves nothing about the resource inside it. */
    private static final Set<String> NO_PLACE =
            Set.of("404 TableNotFound", "404 QueueNotFound", "404 ContainerNotFound");

    static AttemptReason of(OperationInfo operation, AttemptLog.Entry attempt) {
        AttemptReason reason = of(attempt);
        return reason == REFUSED
                        && operation.name().equals("exists")
                        && NO_PLACE.contains(atWhateverPlace(attempt.reason()))
                ? ABSENT
                : reason;
    }

    static AttemptReason of(AttemptLog.Entry attempt) {
        if (attempt.remedied()) {
            return REMEDIED;
        }
        return attempt.throttling() == ThrottleScope.NONE
                ? of(atWhateverPlace(attempt.reason()))
                : throttled(attempt.throttling());
    }

    private static AttemptReason throttled(ThrottleScope throttling) {
        return throttling == ThrottleScope.ACCOUNT ? THROTTLED_ACCOUNT : THROTTLED_PARTITION;
    }

    /** The end of an attempt at the secondary has its place in brackets. */
    private static String atWhateverPlace(String reason) {
        int bracket = reason.indexOf(" (");
        return bracket < 0 ? reason : reason.substring(0, bracket);
    }

    /** The reason of a response begins with the status, that of an error is the simple name of its class. */
    private static AttemptReason of(String reason) {
        if (reason.equals(AttemptLog.Entry.SUCCESS)) {
            return SUCCESS;
        }
        if (!reason.isEmpty() && Character.isDigit(reason.charAt(0))) {
            return ofResponse(reason);
        }
        if (reason.startsWith("unreadable")) {
            return UNREADABLE;
        }
        return reason.endsWith("Exception") || reason.endsWith("Error") ? ofError(reason) : OTHER;
    }

    private static AttemptReason ofResponse(String reason) {
        if (reason.charAt(0) == '5' || reason.startsWith("408")) {
            return SERVER_ERROR;
        }
        return reason.startsWith("404") && !NO_PLACE.contains(reason) ? ABSENT : REFUSED;
    }

    private static AttemptReason ofError(String name) {
        if (NOT_ADMITTED.contains(name)) {
            return HELD_BACK;
        }
        if (name.equals("TokenRequestException")) {
            return CREDENTIAL;
        }
        return name.endsWith("TimeoutException") && !name.startsWith("Connect") ? TIMEOUT : CONNECTION;
    }

    String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

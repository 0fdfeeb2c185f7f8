package io.stowline.observe;

import io.stowline.error.internal.StatusMeaning;
import io.stowline.error.internal.StatusMeaning.ExceptionKind;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kind of the end of an attempt. A verdict's reason is free text, which has too many values for a tag of a meter. */
public enum AttemptReason {
    /** The attempt did its work. */
    SUCCESS,
    /** 404: the requested resource does not exist, a normal end of a {@code find}. */
    ABSENT,
    /** The service refused it for the load on its partition: 503, or 500 for load. */
    THROTTLED_PARTITION,
    /** The service refused it for the load on the account. */
    THROTTLED_ACCOUNT,
    /** Another 5xx, or 408. */
    SERVER_ERROR,
    /** No response came in time. */
    TIMEOUT,
    /** The connection failed, or was not made. */
    CONNECTION,
    /** The response was malformed. */
    UNREADABLE,
    /** Refused for a reason that the client has mended, such as an expired token. */
    REMEDIED,
    /** The credential gave no token. */
    CREDENTIAL,
    /** Not sent: no permit in time, over the rate, or the circuit breaker is open. */
    HELD_BACK,
    /** The service refused it for another reason. */
    REFUSED,
    /** Any other end. */
    OTHER;

    private static final Set<String> NOT_ADMITTED =
            Set.of("GateTimeoutException", "RateTimeoutException", "BreakerOpenException");
    private static final Pattern RESPONSE = Pattern.compile("(\\d{3})(?: (\\S+))?");

    /**
     * Finds the kind of an end.
     *
     * @param attempt the end, of a {@link RequestEnd}
     * @param existenceCheck whether the request checks that a resource exists, so that a missing table, queue or container is its result
     * @return the kind
     */
    public static AttemptReason of(AttemptEnd attempt, boolean existenceCheck) {
        if (attempt.remedied()) {
            return REMEDIED;
        }
        return attempt.throttling() == ThrottleScope.NONE
                ? of(atWhateverPlace(attempt.reason()), existenceCheck)
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
    private static AttemptReason of(String reason, boolean existenceCheck) {
        if (reason.equals(AttemptEnd.SUCCESS)) {
            return SUCCESS;
        }
        if (!reason.isEmpty() && Character.isDigit(reason.charAt(0))) {
            return ofResponse(reason, existenceCheck);
        }
        if (reason.startsWith("unreadable")) {
            return UNREADABLE;
        }
        return reason.endsWith("Exception") || reason.endsWith("Error") ? ofError(reason) : OTHER;
    }

    private static AttemptReason ofResponse(String reason, boolean existenceCheck) {
        Matcher response = RESPONSE.matcher(reason);
        if (!response.matches()) {
            return REFUSED;
        }
        StatusMeaning meaning = StatusMeaning.of(Integer.parseInt(response.group(1)), response.group(2));
        if (meaning.ofService()) {
            return SERVER_ERROR;
        }
        // A missing container proves nothing about the resource in it.
        boolean absent =
                meaning.exception() == ExceptionKind.NOT_FOUND && (existenceCheck || !meaning.lacksContainer());
        return absent ? ABSENT : REFUSED;
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

    /**
     * Returns the value of the tag {@code reason}.
     *
     * @return the name in lower case with hyphens, such as {@code throttled-partition}
     */
    public String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

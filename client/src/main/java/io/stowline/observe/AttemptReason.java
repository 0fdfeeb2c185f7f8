package io.stowline.observe;

import io.stowline.error.internal.StatusMeaning;
import io.stowline.error.internal.StatusMeaning.ExceptionKind;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    private static final Pattern RESPONSE = Pattern.compile("(\\d{3})(?: (\\S+))?");
    /**
     * Finds the kind of an end.
     *
     * @param existenceCheck whether the request checks that a resource exists, so that a missing table, queue or container is its result
     */
    static AttemptReason of(AttemptEnd attempt, boolean existenceCheck) {
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

    String tag() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package io.stowline.advisor.internal.sdk;

import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * The failure of an attempt.
 *
 * @param reason the cause in a few words, in the form of {@link AttemptEnd#reason}
 * @param code the service's error code, or {@code null}
 * @param throttling what the service refused for load
 * @param isLost whether the service may have carried the request out
 */
record SdkFailure(String reason, @Nullable String code, ThrottleScope throttling, boolean isLost) {

    /** The code of a service that has too much load. */
    static final String BUSY = "ServerBusy";

    private static final String TIMED_OUT = "OperationTimedOut";
    private static final String ACCOUNT_LIMIT = "over the account limit";
    private static final String OTHER = "other";
    private static final int TOO_MANY_REQUESTS = 429;

    /** The code of an error in JSON or XML. */
    private static final Pattern CODE =
            Pattern.compile("\"code\"\\s*+:\\s*+\"(\\w{1,100}+)\"|<(?:\\w++:)?[Cc]ode>(\\w{1,100}+)<");

    /**
     * Returns the failure that a response shows.
     *
     * @param header the code in its headers, or {@code null}
     * @param body its body if it has been read, or {@code null}
     */
    static SdkFailure of(int status, @Nullable String header, byte @Nullable [] body) {
        String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
        String code = header == null ? code(text) : header;
        boolean throttled = BUSY.equals(code) || TIMED_OUT.equals(code) || status == TOO_MANY_REQUESTS;
        ThrottleScope scope = text.contains(ACCOUNT_LIMIT) ? ThrottleScope.ACCOUNT : ThrottleScope.PARTITION;
        return new SdkFailure(
                status + (code == null ? "" : " " + code),
                code,
                throttled ? scope : ThrottleScope.NONE,
                status / 100 == 5);
    }

    private static @Nullable String code(String text) {
        Matcher code = CODE.matcher(text);
        if (!code.find()) {
            return null;
        }
        return code.group(1) == null ? code.group(2) : code.group(1);
    }

    /** Returns the failure of an attempt without a response; only that of a connection or a timeout has its name. */
    static SdkFailure of(Throwable error) {
        Throwable cause = Exceptions.unwrap(error);
        if (cause instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
            cause = unchecked.getCause();
        }
        boolean lost = cause instanceof IOException || cause instanceof TimeoutException;
        return new SdkFailure(lost ? cause.getClass().getSimpleName() : OTHER, null, ThrottleScope.NONE, lost);
    }

    AttemptEnd end(int number, boolean ambiguous) {
        return new AttemptEnd(number, reason, ambiguous, false, throttling, null, Duration.ZERO, Duration.ZERO);
    }
}

package io.stowline.testkit.stress;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The meaning of a failed call for a stress test. */
public enum StressFailure {
    /** The service refused it for its load: 503 {@code ServerBusy}, or 429. */
    THROTTLED,
    /** The service or the client gave up: 408, 504, {@code OperationTimedOut}, or a deadline. */
    TIMED_OUT,
    /** Any other failure, such as a missing table or a wrong key. It ends the ramp. */
    OTHER;

    private static final int MAX_CAUSES = 20;
    private static final Pattern BUSY = Pattern.compile(
            "(?i)throttl|server ?(is )?busy|too ?many ?requests|\\b(status|status code|http)\\W{1,3}(429|503)\\b");
    private static final Pattern LATE =
            Pattern.compile("(?i)timed? ?out|deadline ?exceeded|\\b(status|status code|http)\\W{1,3}(408|504)\\b");

    /**
     * Returns the meaning of an exception, by the names and messages of it and of its causes. It fits the exceptions of Microsoft's clients
     * and of Stowline; for others, {@link StressTest.Builder#failures} takes a function.
     *
     * @param failure the exception
     * @return its meaning
     */
    public static StressFailure of(Throwable failure) {
        if (matches(failure, BUSY)) {
            return THROTTLED;
        }
        return matches(failure, LATE) ? TIMED_OUT : OTHER;
    }

    private static boolean matches(Throwable failure, Pattern words) {
        @Nullable Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if (words.matcher(cause.getClass().getSimpleName() + " " + cause.getMessage())
                    .find()) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}

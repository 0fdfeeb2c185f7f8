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
     * Returns the meaning of an exception, by its name and message, or else by those of its causes in their order. It fits the exceptions of
     * Microsoft's clients and of Stowline; for others, {@link StressTest.Builder#failures} takes a function.
     *
     * @param failure the exception
     * @return its meaning
     */
    public static StressFailure of(Throwable failure) {
        @Nullable Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            String text = cause.getClass().getSimpleName() + " " + cause.getMessage();
            if (BUSY.matcher(text).find()) {
                return THROTTLED;
            }
            if (LATE.matcher(text).find()) {
                return TIMED_OUT;
            }
            cause = cause.getCause();
        }
        return OTHER;
    }
}

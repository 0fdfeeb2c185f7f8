package io.stowline.table;

import io.stowline.error.internal.PrintableText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The end of an item that had no success within its {@linkplain WriterSettings#deliveryTimeout() time}. It will never
 * be sent again, and had no effect. It ends before that time when the next attempt does not fit in what is left: the
 * pause before an attempt is never cut. The message states when it ended and where it waited, or which pause does not
 * fit. The cause is what its last attempt ended with, where there was one.
 */
public final class DeliveryTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Duration timeout;

    /**
     * Makes the exception.
     *
     * @param message when the item ended, and where it waited
     * @param timeout the time that it had
     * @param last what its last attempt ended with, or null
     */
    public DeliveryTimeoutException(String message, Duration timeout, @Nullable Throwable last) {
        super(PrintableText.of(message), last);
        this.timeout = timeout;
    }

    /**
     * Returns the time that it had.
     *
     * @return the time from its acceptance within which it had to be delivered
     */
    public Duration timeout() {
        return timeout;
    }
}

package io.stowline.blob;

import io.stowline.error.internal.PrintableText;
import org.jspecify.annotations.Nullable;

/** Failure of a call that needs a lease which is lost or released. Nothing was sent. */
public final class LeaseLostException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message the lease and why it is lost
     * @param cause the failure of guarded work or of a request for the lease, or {@code null}
     */
    public LeaseLostException(String message, @Nullable Throwable cause) {
        super(PrintableText.of(message), cause);
    }
}

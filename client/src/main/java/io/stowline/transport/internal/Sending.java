package io.stowline.transport.internal;

/**
 * Whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt, where our HTTP client finds
 * it just before it writes; an attempt that failed before that cannot have been carried out. Another HTTP client tells nothing: from the
 * moment it is given the request it may have written it, unless the error that ended the attempt shows that there was no connection.
 */
final class Sending {

    /** A pool that had no connection to give; Reactor Netty has these errors in a package of its internals. */
    private static final String NO_CONNECTION_FREE = "PoolAcquire";

    private static final int DEEPEST_CAUSE = 20;

    private final boolean told;
    private volatile boolean written;

    private Sending(boolean told) {
        this.told = told;
    }

    /** An attempt over our own HTTP client, which tells when it writes. */
    static Sending told() {
        return new Sending(true);
    }

    /** An attempt over an HTTP client that does not tell. */
    static Sending untold() {
        return new Sending(false);
    }

    /** The request is on its way to the HTTP client. */
    void begin() {
        if (!told) {
            written = true;
        }
    }

    /** It waits for what authorizes it, and nothing has left yet. */
    void hold() {
        written = false;
    }

    void markWritten() {
        written = true;
    }

    /** Whether the request may have been written, as far as is known. */
    boolean written() {
        return written;
    }

    /** The same once the attempt has ended with an error, which settles it. */
    boolean endedBy(Throwable error) {
        if (!told && neverConnected(error)) {
            written = false;
        }
        return written;
    }

    private static boolean neverConnected(Throwable error) {
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (StorageClassifier.neverConnected(cause)
                    || cause.getClass().getSimpleName().startsWith(NO_CONNECTION_FREE)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}

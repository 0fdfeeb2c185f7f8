package io.stowline.transport.internal;

/**
 * Whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt, where our HTTP client finds
 * it just before it writes; an attempt that failed before that cannot have been carried out. Another HTTP client tells nothing, so
 * that only the error itself can show that there was no connection.
 */
final class Sending {

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

    void markWritten() {
        written = true;
    }

    /** Whether the request may have been written, as far as is known while the attempt runs. */
    boolean written() {
        return written || !told;
    }

    /** The same once the attempt has ended with an error. */
    boolean written(Throwable error) {
        return written || (!told && !StorageClassifier.neverConnected(error));
    }
}

package io.stowline.transport.internal;

/**
 * Whether an attempt's request may have reached the wire. It lies in the Reactor context of the attempt, where the HTTP client finds
 * it just before it writes; an attempt that failed before that cannot have been carried out.
 */
final class Sending {

    private volatile boolean written;

    void markWritten() {
        written = true;
    }

    boolean written() {
        return written;
    }
}

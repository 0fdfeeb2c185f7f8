package io.stowline.blob.internal.base;

import io.stowline.error.StorageInterruptedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;

/** What a transfer fails with when the caller's file or stream does. */
public final class StreamFailure {

    private StreamFailure() {}

    /** An interrupt that a file or a stream has noticed is the same as one that the wait for the service notices (RETRY-8). */
    public static RuntimeException of(String what, IOException e) {
        boolean ofInput = e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
        if (ofInput || e instanceof ClosedByInterruptException) {
            Thread.currentThread().interrupt();
            InterruptedException interrupt = new InterruptedException(e.toString());
            interrupt.initCause(e);
            return new StorageInterruptedException(interrupt);
        }
        return new UncheckedIOException(what, e);
    }
}

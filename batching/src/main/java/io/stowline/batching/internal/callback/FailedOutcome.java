package io.stowline.batching.internal.callback;

import java.util.concurrent.CompletionException;

/** A terminal outcome that is an error; any other outcome is the result itself. */
public record FailedOutcome(Throwable error) {

    /** Returns an unchecked exception as it is and a checked one wrapped; throws an error. */
    public static RuntimeException unchecked(Throwable error) {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return error instanceof RuntimeException exception ? exception : new CompletionException(error);
    }
}

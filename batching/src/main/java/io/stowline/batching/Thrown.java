package io.stowline.batching;

import java.util.concurrent.CompletionException;

/** Errors on their way to a caller. */
final class Thrown {

    private Thrown() {}

    /** Returns an unchecked exception as it is and a checked one wrapped; throws an error. */
    static RuntimeException unchecked(Throwable error) {
        if (error instanceof Error fatal) {
            throw fatal;
        }
        return error instanceof RuntimeException exception ? exception : new CompletionException(error);
    }
}

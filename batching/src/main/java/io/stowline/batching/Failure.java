package io.stowline.batching;

/** A terminal outcome that is an error; any other outcome is the result itself. No record, since Lincheck cannot look into one. */
final class Failure {

    private final Throwable error;

    Failure(Throwable error) {
        this.error = error;
    }

    Throwable error() {
        return error;
    }
}

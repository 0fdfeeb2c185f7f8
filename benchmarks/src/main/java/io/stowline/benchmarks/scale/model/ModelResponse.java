package io.stowline.benchmarks.scale.model;

/**
 * The end of one attempt at the model of the service.
 *
 * @param kind the kind of its end
 * @param at its time at the client, in nanoseconds
 */
record ModelResponse(ResponseKind kind, long at) {

    /** The kinds of ends, of which the last three are no response of a service that works. */
    enum ResponseKind {
        DONE,
        ACCOUNT_BUSY,
        PARTITION_BUSY,
        FAILED,
        RESET,
        TIMED_OUT
    }

    boolean refused() {
        return kind == ResponseKind.ACCOUNT_BUSY || kind == ResponseKind.PARTITION_BUSY;
    }

    /** Returns whether the service has responded at all. */
    boolean responded() {
        return kind != ResponseKind.RESET && kind != ResponseKind.TIMED_OUT;
    }
}

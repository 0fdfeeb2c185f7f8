package io.stowline.caching.internal.engine;

/** The load of another reader has failed for a reason that is not this reader's; it looks again. */
final class LeaderFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LeaderFailedException(Throwable failure) {
        super("the load of another reader has failed", failure, false, false);
    }
}

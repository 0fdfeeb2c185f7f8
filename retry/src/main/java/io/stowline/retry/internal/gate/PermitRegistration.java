package io.stowline.retry.internal.gate;

/** A place in a {@link Gate}'s line. Safe for use by many threads. */
@FunctionalInterface
public interface PermitRegistration {

    /**
     * Leaves the line.
     *
     * @return true when the place was given up: the callback is never called; false when it was left or granted before:
     *     the callback has been or will be called with a permit, which must be released
     */
    boolean cancel();
}

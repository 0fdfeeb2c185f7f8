package io.stowline.retry.internal.gate;

/**
 * When the queue of a service is let run empty for a moment, to see its true latency: at the same moments of the day in
 * all clients. One client alone would see only the queue of the others, take it for the service's own latency, and go
 * on to make it longer. Clients whose clocks differ by more than half a window lose that and nothing else.
 */
final class LatencyProbes {

    private static final long PERIOD_WINDOWS = 30;

    private final long window;
    private final long offset;
    private long next;

    /**
     * Creates the schedule.
     *
     * @param window the window, in nanoseconds
     * @param offset what makes a reading of the clock the time of the day
     */
    LatencyProbes(long window, long offset) {
        this.window = window;
        this.offset = offset;
    }

    void startAfter(long now) {
        long period = PERIOD_WINDOWS * window;
        next = now + period - Math.floorMod(now + offset, period);
    }

    boolean due(long now) {
        return now - next >= 0;
    }

    /** So late that the others are no longer probing. */
    boolean missed(long now) {
        return now - next >= window;
    }

    /** A change now would keep the probe from starting in time. */
    boolean near(long now) {
        return next - now < window;
    }
}

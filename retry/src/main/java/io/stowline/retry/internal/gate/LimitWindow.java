package io.stowline.retry.internal.gate;

/** What was seen in one window of an {@link AdaptiveLimit}. */
final class LimitWindow {

    private static final double LEAST_CUT = 0.15;
    private static final double MOST_CUT = 0.5;

    private long opened;
    private int samples;
    private int saturated;
    private int throttled;
    private int inFlight;
    private int inFlightBefore;

    void open(long now) {
        opened = now;
        inFlightBefore = inFlight;
        inFlight = 0;
        samples = 0;
        saturated = 0;
        throttled = 0;
    }

    void answered(int inFlightThen, boolean saturatedThen) {
        samples++;
        saturated += saturatedThen ? 1 : 0;
        inFlight = Math.max(inFlight, inFlightThen);
    }

    void throttled(int inFlightThen) {
        samples++;
        throttled++;
        inFlight = Math.max(inFlight, inFlightThen);
    }

    /** Long enough, and with about one round trip of answers: few of them are mostly noise. */
    boolean complete(long now, long window, double limit) {
        return now - opened >= window && samples >= Math.max(8, Math.min(20, limit));
    }

    boolean anyThrottled() {
        return throttled > 0;
    }

    /** Whether it was the limit that held attempts back. */
    boolean limited() {
        return saturated * 2 >= samples;
    }

    /** The limit after a cut: less than what was in flight, the less the more of it was throttled. */
    double cut(double limit) {
        double share = throttled / Math.max(samples, limit);
        double base = Math.min(limit, Math.max(inFlight, inFlightBefore));
        return base * (1 - Math.max(LEAST_CUT, Math.min(MOST_CUT, share)));
    }
}

package io.stowline.retry.internal.gate;

import io.stowline.retry.ParallelismSettings;
import org.jspecify.annotations.Nullable;

/**
 * A limit that decides how many attempts may be in flight, from how the earlier ones went.
 * <ul>
 *   <li>It doubles from window to window until the first sign of overload and grows by one from then on; in either case
 *       only after a window in which it was the limit that held attempts back.
 *   <li>Throttling cuts it at once, by 15 to 50 %, the more of the window's responses were throttled.
 *   <li>Latencies cut it when they exceed their baselines. Cuts that do not help are taken back: then the service has
 *       become slower. Now and then the limit is halved for a window, to see the latency without the queue.
 *   <li>It changes once in a window. What was sent before a cut reveals nothing about it.
 * </ul>
 *
 * <p>Has neither clock nor lock: times are given, in nanoseconds of a clock that does not go back. Not safe for use by
 * many threads.
 */
final class AdaptiveLimit {

    /** The reason for the current value of the limit. */
    enum LimitReason {
        STARTED,
        RAMPED,
        GROWN,
        AT_MOST,
        NOT_LIMITING,
        THROTTLED,
        SLOW,
        SERVICE_SLOWER,
        PROBING,
        PROBED,
        RESTED
    }

    private static final long REST_WINDOWS = 30;

    private final ParallelismSettings settings;
    private final long window;
    private final LatencyBaselines baselines = new LatencyBaselines();
    private final SlowWindowStreak spell = new SlowWindowStreak();
    private final LimitWindow round = new LimitWindow();
    private final LatencyProbes probes;
    private double limit;
    private LimitReason reason = LimitReason.STARTED;
    private boolean ramping = true;
    private boolean begun;
    private boolean probing;
    private double beforeProbe;
    private long changed;
    private long stale;
    private long lastResponse;

    /**
     * Creates the controller.
     *
     * @param settings the bounds
     * @param offset what makes a time given here the time of the day, the same for all clients
     */
    AdaptiveLimit(ParallelismSettings settings, long offset) {
        this.settings = settings;
        this.window = settings.window().toNanos();
        this.probes = new LatencyProbes(window, offset);
        this.limit = settings.start();
    }

    int limit() {
        return (int) limit;
    }

    LimitReason reason() {
        return reason;
    }

    /**
     * Records an attempt with a response.
     *
     * @param sent when it got its permit
     * @param now the time
     * @param inFlight the most that were in flight with it, itself included
     * @param saturated whether it took the last permit or had to wait for one
     * @param latencyClass what its latency can be compared with, or null when with nothing
     */
    void responded(long sent, long now, int inFlight, boolean saturated, @Nullable Object latencyClass) {
        responded(now, sent);
        baselines.learn(now - sent);
        if (sent - stale < 0 || baselines.isPaused(now)) {
            return;
        }
        round.responded(inFlight, saturated);
        if (latencyClass != null) {
            baselines.add(latencyClass, now - sent);
        }
        if (probeNow(now)) {
            probe(now);
        } else if (round.complete(now, window, limit)) {
            close(now);
        }
    }

    /**
     * Records a throttled attempt.
     *
     * @param sent when it got its permit
     * @param now the time
     * @param inFlight the most that were in flight with it, itself included
     */
    void throttled(long sent, long now, int inFlight) {
        responded(now, sent);
        if (sent - stale < 0) {
            return;
        }
        round.throttled(inFlight);
        if (now - changed >= window) {
            cut(now);
        }
    }

    /** Prepares an idle gate for new work: after a long rest it ramps up again. */
    void wake(long now) {
        if (begun && now - lastResponse >= REST_WINDOWS * window && limit > settings.start()) {
            ramping = true;
            probing = false;
            baselines.drop();
            change(now, settings.start(), LimitReason.RESTED);
        }
    }

    /** Begins at a limit that throttling has already cut, so that it does not ramp up. */
    void beginThrottled(long now) {
        responded(now, now);
        ramping = false;
        stale = now;
        change(now, limit, LimitReason.THROTTLED);
    }

    private void responded(long now, long sent) {
        if (!begun) {
            begun = true;
            changed = now - window;
            stale = sent;
            round.open(now);
            probes.startAfter(now);
            baselines.begin(now, now - sent);
        }
        lastResponse = now;
    }

    private void close(long now) {
        if (round.anyThrottled()) {
            cut(now);
        } else if (probing) {
            probed(now);
        } else if (!round.limited()) {
            baselines.drift();
            hold(now, LimitReason.NOT_LIMITING);
        } else {
            judge(now, baselines.ratio());
        }
    }

    /** A larger limit tolerates less queueing, so that the largest client gives way. */
    private void judge(long now, double ratio) {
        boolean slow = ratio > 1.05 + 1 / Math.sqrt(limit);
        switch (spell.next(slow, limit, ratio, settings.min())) {
            case NONE -> grow(now);
            case CUT -> slowDown(now, ratio);
            case GIVE_UP -> acceptLatency(now);
        }
    }

    private void grow(long now) {
        baselines.settle();
        if (limit >= settings.max()) {
            hold(now, LimitReason.AT_MOST);
        } else if (probes.near(now)) {
            hold(now, reason);
        } else {
            change(now, ramping ? limit * 2 : limit + 1, ramping ? LimitReason.RAMPED : LimitReason.GROWN);
        }
    }

    private void slowDown(long now, double ratio) {
        ramping = false;
        baselines.settle();
        forget(now);
        change(now, limit * Math.max(0.5, 1 / ratio), LimitReason.SLOW);
    }

    private void acceptLatency(long now) {
        baselines.accept();
        change(now, spell.before(), LimitReason.SERVICE_SLOWER);
    }

    private void cut(long now) {
        ramping = false;
        probing = false;
        spell.end();
        baselines.drop();
        forget(now);
        change(now, round.cut(limit), LimitReason.THROTTLED);
    }

    private boolean probeNow(long now) {
        if (!probes.due(now)) {
            return false;
        }
        boolean useful = !probes.missed(now)
                && limit > settings.min()
                && round.limited()
                && !round.anyThrottled()
                && baselines.known();
        if (useful && now - changed < window) {
            return false;
        }
        probes.startAfter(now);
        return useful;
    }

    private void probe(long now) {
        probing = true;
        beforeProbe = limit;
        baselines.settle();
        // The first half of the window is for the queue to run empty.
        forget(now + window / 2);
        change(now, limit / 2, LimitReason.PROBING);
    }

    private void probed(long now) {
        probing = false;
        baselines.believe();
        change(now, beforeProbe, LimitReason.PROBED);
    }

    private void forget(long before) {
        stale = before;
        baselines.pause(before);
    }

    private void hold(long now, LimitReason why) {
        reason = why;
        round.open(now);
    }

    private void change(long now, double next, LimitReason why) {
        limit = Math.max(settings.min(), Math.min(settings.max(), next));
        changed = now;
        hold(now, why);
    }

    /**
     * The times at which the queue of a service runs empty for a moment, to show its true latency: the same moments of
     * the day in all clients. One client alone would see only the queue of the others, take it for the service's
     * latency, and make it longer. A client whose clock differs by more than half a window loses that and nothing else.
     */
    private static final class LatencyProbes {

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

        /** Returns whether the time of the probe is past, so that the other clients no longer probe. */
        boolean missed(long now) {
            return now - next >= window;
        }

        /** Returns whether the probe is so close that a change now would delay it. */
        boolean near(long now) {
            return next - now < window;
        }
    }

    /** The samples of one window of an {@link AdaptiveLimit}. */
    private static final class LimitWindow {

        private static final double MIN_CUT = 0.15;
        private static final double MAX_CUT = 0.5;

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

        void responded(int inFlightThen, boolean saturatedThen) {
            samples++;
            saturated += saturatedThen ? 1 : 0;
            inFlight = Math.max(inFlight, inFlightThen);
        }

        void throttled(int inFlightThen) {
            samples++;
            throttled++;
            inFlight = Math.max(inFlight, inFlightThen);
        }

        /**
         * Returns whether the window is long enough, with about one round trip of responses: few of them are mostly
         * noise.
         */
        boolean complete(long now, long window, double limit) {
            return now - opened >= window && samples >= Math.max(8, Math.min(20, limit));
        }

        boolean anyThrottled() {
            return throttled > 0;
        }

        /** Returns whether the limit, rather than the load, bounded the attempts in flight. */
        boolean limited() {
            return saturated * 2 >= samples;
        }

        /**
         * Returns the limit after a cut, which is below the number in flight: the more attempts were throttled, the
         * lower.
         */
        double cut(double limit) {
            double share = throttled / Math.max(samples, limit);
            double base = Math.min(limit, Math.max(inFlight, inFlightBefore));
            return base * (1 - Math.max(MIN_CUT, Math.min(MAX_CUT, share)));
        }
    }

    /** Consecutive windows that were too slow, and whether cutting the limit made them faster. */
    private static final class SlowWindowStreak {

        enum StreakStep {
            NONE,
            CUT,
            GIVE_UP
        }

        private double before;
        private double first;
        private int windows;

        /** Returns the step after a window. */
        StreakStep next(boolean slow, double limit, double ratio, int min) {
            if (!slow) {
                end();
                return StreakStep.NONE;
            }
            if (++windows == 1) {
                before = limit;
                first = ratio;
            }
            boolean deep = limit <= Math.max(min, 0.6 * before);
            if (windows > 1 && deep && ratio > 0.8 * first) {
                end();
                return StreakStep.GIVE_UP;
            }
            return StreakStep.CUT;
        }

        /** Returns the limit before the first of the slow windows. */
        double before() {
            return before;
        }

        void end() {
            windows = 0;
        }
    }
}

package io.stowline.examples.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * The bounds of the difference between the service's clock and that of this machine: positive where the service is ahead. Immutable.
 *
 * <p>The service shows whole seconds. A write in its second s, sent at a and confirmed at b, bounds the difference: it is above s - b and
 * below s + 1 - a. Writes at several parts of a second narrow the bounds down to the time of a call.
 *
 * @param low the lower bound
 * @param high the upper bound
 */
record ClockOffset(Duration low, Duration high) {

    /** The difference above which the service refuses signatures. */
    private static final Duration REFUSED = Duration.ofMinutes(15);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration UNBOUNDED = Duration.ofDays(1_000_000);

    /** Bounds of nothing, before the first write. */
    static final ClockOffset UNKNOWN = new ClockOffset(UNBOUNDED.negated(), UNBOUNDED);

    /** Returns the bounds with what one more write shows. */
    ClockOffset and(Instant sent, Instant second, Instant confirmed) {
        Duration above = Duration.between(confirmed, second);
        Duration below = Duration.between(sent, second).plus(SECOND);
        return new ClockOffset(above.compareTo(low) > 0 ? above : low, below.compareTo(high) < 0 ? below : high);
    }

    /** Returns the bounds, as a sentence. */
    String sentence() {
        if (equals(UNKNOWN)) {
            return "The clocks: the service did not show its time.";
        }
        // A clock that was set, or that several servers disagree on, leaves no difference that fits all writes.
        if (low.compareTo(high) > 0) {
            return "The clocks: one of them moved during the measurement, or the servers of the account differ.";
        }
        Duration near = high.isNegative() ? high : low;
        Duration far = high.isNegative() ? low : high;
        String bounds = String.format(
                Locale.ROOT,
                "The service's clock is %s to %s this machine's.",
                near.isNegative() == far.isNegative() ? seconds(near) : relation(near),
                relation(far));
        boolean refused = low.compareTo(REFUSED) > 0 || high.compareTo(REFUSED.negated()) < 0;
        return refused
                ? bounds + " Beyond 15 minutes the service refuses signatures: set the clock of this machine."
                : bounds;
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%,.2f", time.abs().toNanos() / 1e9);
    }

    private static String relation(Duration time) {
        return seconds(time) + " s " + (time.isNegative() ? "behind" : "ahead of");
    }
}

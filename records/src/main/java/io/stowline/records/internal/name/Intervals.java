package io.stowline.records.internal.name;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The intervals of one length that a day of UTC has. Immutable.
 *
 * @param every their length
 */
public record Intervals(Duration every) {

    private static final long DAY = Duration.ofDays(1).toSeconds();

    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is not 1 s to a day, or a day is no multiple of it
     */
    public Intervals {
        Objects.requireNonNull(every, "every");
        long seconds = every.toSeconds();
        if (!every.equals(Duration.ofSeconds(seconds)) || seconds < 1 || seconds > DAY || DAY % seconds != 0) {
            throw new IllegalArgumentException(
                    "every is 1 s to 1 day in whole seconds of which a day is a multiple, such"
                            + " as 5 min or 1 h, and not " + every);
        }
    }

    /** Returns the begin of the interval that has an instant. */
    public Instant floor(Instant instant) {
        return Instant.ofEpochSecond(instant.getEpochSecond() - Math.floorMod(instant.getEpochSecond(), seconds()));
    }

    /** Returns the end of the interval that has an instant, which is the begin of the next one. */
    public Instant end(Instant instant) {
        return floor(instant).plusSeconds(seconds());
    }

    private long seconds() {
        return every.toSeconds();
    }
}

package io.stowline.examples.marathon;

import io.stowline.projection.key.KeyFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A marathon of one kind: a partition.
 *
 * @param marathon its name
 * @param kind such as {@code Full}
 * @param start when it begins
 */
record Race(String marathon, String kind, Instant start) {

    static final Race NEW_YORK = new Race("2011 New York City Marathon", "Full", Instant.parse("2011-11-06T14:00:00Z"));

    static final List<Race> ALL = List.of(
            NEW_YORK,
            new Race(NEW_YORK.marathon, "Half", Instant.parse("2011-11-06T13:00:00Z")),
            new Race("2012 Berlin Marathon", "Full", Instant.parse("2012-09-30T07:00:00Z")),
            new Race("2012 Tokyo Marathon", "Full", Instant.parse("2012-02-26T00:10:00Z")));

    private static final KeyFormat KEY =
            KeyFormat.separatedBy('_', 2).text("marathon").text("kind");

    /** Its partition, such as {@code 2011 New York City Marathon__Full}. */
    String key() {
        return KEY.format(marathon, kind);
    }

    /** What the partitions of all kinds of a marathon begin with. */
    static String prefix(String marathon) {
        return KEY.prefix(marathon);
    }

    /** When a runner comes in. */
    Instant after(int minutes) {
        return start.plus(Duration.ofMinutes(minutes));
    }
}

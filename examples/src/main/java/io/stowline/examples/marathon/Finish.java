package io.stowline.examples.marathon;

import io.stowline.table.QueryClass;
import io.stowline.table.TimeSeries;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many runners come in at each minute, an hour in a row.
 *
 * @param perMinute the series, in a table of its own
 * @param enquiries asks and shows
 */
record Finish(TimeSeries<Integer> perMinute, QueryReporter enquiries) {

    void record(Race race, List<Registration> runners) {
        SortedMap<Instant, Integer> counted = counted(race, runners);
        enquiries.log().clear();
        perMinute.putAll(race.key(), counted);
        enquiries
                .out()
                .printf(
                        Locale.ROOT,
                        "Finishers of %d minutes stored by %d request%n",
                        counted.size(),
                        enquiries.log().requests());
        ofAnHour(race, counted);
        ofTheDay(race, counted);
    }

    private static SortedMap<Instant, Integer> counted(Race race, List<Registration> runners) {
        SortedMap<Instant, Integer> counted = new TreeMap<>();
        runners.forEach(runner -> counted.merge(race.after(runner.minutes()), 1, Integer::sum));
        return counted;
    }

    private void ofAnHour(Race race, SortedMap<Instant, Integer> counted) {
        Instant hour = race.after(4 * 60);
        enquiries.ask(
                "How many came in at each minute of the hour of " + hour + "?",
                QueryClass.POINT,
                () -> List.copyOf(perMinute.read(race.key(), hour).entrySet()),
                List.copyOf(counted.subMap(hour, hour.plus(1, ChronoUnit.HOURS)).entrySet()));
    }

    private void ofTheDay(Race race, SortedMap<Instant, Integer> counted) {
        Instant end = race.start().plus(8, ChronoUnit.HOURS);
        enquiries.ask(
                "And until " + end + "?",
                QueryClass.ROW_RANGE,
                () -> List.copyOf(perMinute.read(race.key(), race.start(), end).entrySet()),
                List.copyOf(counted.entrySet()));
    }
}

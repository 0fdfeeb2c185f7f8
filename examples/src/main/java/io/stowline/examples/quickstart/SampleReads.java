package io.stowline.examples.quickstart;

import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The two fast reads: one entity by its keys, and a range of row keys with some of the properties.
 *
 * @param table the table
 * @param out where to show what was read
 * @param nanoTime the clock
 */
record SampleReads(Table<City> table, PrintStream out, LongSupplier nanoTime) {

    private static final int SHOWN = 5;

    /** Reads, shows some of it, and returns what is not as it should be. */
    List<String> of(CitySample sample) {
        List<String> differences = new ArrayList<>();
        find(sample.city(), differences);
        scan(sample, differences);
        return differences;
    }

    private void find(City city, List<String> differences) {
        long start = nanoTime.getAsLong();
        Optional<City> found = table.find(city.country(), city.key()).map(StoredEntity::value);
        out.printf(
                Locale.ROOT,
                "Point read of %s, %s: %.1f ms%n  %s%n",
                city.name(),
                city.country(),
                millis(start),
                found.map(City::toString).orElse("not found"));
        if (!found.equals(Optional.of(city))) {
            differences.add("point read: " + found + ", not " + city);
        }
    }

    private void scan(CitySample sample, List<String> differences) {
        long start = nanoTime.getAsLong();
        List<Place> places = table.query()
                .partition(sample.country())
                .rowPrefix(CityKeys.escape(sample.prefix()))
                .as(Place.class)
                .list();
        out.printf(
                Locale.ROOT,
                "Prefix scan of %s for \"%s\", three properties of each: %d places in %.1f ms%n",
                sample.country(),
                sample.prefix(),
                places.size(),
                millis(start));
        places.stream().limit(SHOWN).forEach(this::show);
        if (places.size() > SHOWN) {
            out.printf(Locale.ROOT, "  and %d more%n", places.size() - SHOWN);
        }
        if (places.size() != sample.matches()) {
            differences.add("prefix scan: " + places.size() + " places, not " + sample.matches());
        }
    }

    private void show(Place place) {
        out.printf(Locale.ROOT, "  %-28s %10.5f %11.5f%n", place.name(), place.latitude(), place.longitude());
    }

    private double millis(long start) {
        return (nanoTime.getAsLong() - start) / 1e6;
    }
}

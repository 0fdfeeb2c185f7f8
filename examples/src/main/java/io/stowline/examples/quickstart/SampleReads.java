package io.stowline.examples.quickstart;

import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The two fast reads: one entity by its keys, and a range of row keys with some of the properties. It sees all cities first, and so knows
 * what the reads must find. Not thread-safe.
 */
final class SampleReads {

    // The keys of such names begin with the same letters: escapes concern other characters.
    private static final String PREFIX = "San";
    private static final String FAVOURITE = "Tokyo";
    private static final int SHOWN = 5;

    private final PrintStream out;
    private final LongSupplier nanoTime;
    private final Map<String, Integer> matches = new TreeMap<>();
    private @Nullable City city;

    SampleReads(PrintStream out, LongSupplier nanoTime) {
        this.out = out;
        this.nanoTime = nanoTime;
    }

    void see(Entity entity) {
        String name = value(entity, "name", String.class);
        if (city == null || name.equals(FAVOURITE)) {
            city = new City(
                    entity.partitionKey(),
                    entity.rowKey(),
                    name,
                    value(entity, "lat", Double.class),
                    value(entity, "lng", Double.class));
        }
        if (name.startsWith(PREFIX)) {
            matches.merge(entity.partitionKey(), 1, Integer::sum);
        }
    }

    private static <V> V value(Entity entity, String property, Class<V> type) {
        return Objects.requireNonNull(entity.get(property, type), property);
    }

    /** Reads, shows some of it, and returns the differences to what was seen. */
    List<String> of(Table<City> table) {
        List<String> differences = new ArrayList<>();
        if (city != null) {
            find(table, city, differences);
        }
        matches.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .ifPresent(max -> scan(table, max.getKey(), max.getValue(), differences));
        return differences;
    }

    private void find(Table<City> table, City expected, List<String> differences) {
        long start = nanoTime.getAsLong();
        Optional<City> found = table.find(expected.country(), expected.key()).map(StoredEntity::value);
        out.printf(
                Locale.ROOT,
                "Point read of %s, %s: %.1f ms%n  %s%n",
                expected.name(),
                expected.country(),
                millis(start),
                found.map(City::toString).orElse("not found"));
        if (!found.equals(Optional.of(expected))) {
            differences.add("point read: " + found + ", not " + expected);
        }
    }

    private void scan(Table<City> table, String country, int expected, List<String> differences) {
        long start = nanoTime.getAsLong();
        List<Place> places = table.query()
                .partition(country)
                .rowPrefix(PREFIX)
                .as(Place.class)
                .list();
        out.printf(
                Locale.ROOT,
                "Prefix scan of %s for \"%s\", three properties of each: %d places in %.1f ms%n",
                country,
                PREFIX,
                places.size(),
                millis(start));
        places.stream()
                .limit(SHOWN)
                .forEach(place ->
                        out.printf(Locale.ROOT, "  %-28s %10.5f %11.5f%n", place.name(), place.lat(), place.lng()));
        if (places.size() > SHOWN) {
            out.printf(Locale.ROOT, "  and %d more%n", places.size() - SHOWN);
        }
        if (places.size() != expected) {
            differences.add("prefix scan: " + places.size() + " places, not " + expected);
        }
    }

    private double millis(long start) {
        return (nanoTime.getAsLong() - start) / 1e6;
    }
}

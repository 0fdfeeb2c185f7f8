package io.stowline.examples.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a collection of cities amounts to: how many in each country, and a checksum that does not depend on their order.
 *
 * <p>The checksum is the sum of the {@link CityHash} of each city, so it counts a city that is there twice. Not
 * thread-safe.
 */
final class CityTally {

    private final Map<String, Long> counts = new TreeMap<>();
    private long total;
    private long checksum;

    void add(City city) {
        counts.merge(city.country(), 1L, Long::sum);
        total++;
        checksum += CityHash.of(city);
    }

    long total() {
        return total;
    }

    int countries() {
        return counts.size();
    }

    long checksum() {
        return checksum;
    }

    /** In what the other differs from this, one line each; empty when both are of the same cities. */
    List<String> differences(CityTally other) {
        List<String> differences = new ArrayList<>();
        compare("entities", total, other.total, differences);
        TreeSet<String> countries = new TreeSet<>(counts.keySet());
        countries.addAll(other.counts.keySet());
        for (String country : countries) {
            compare("entities of " + country, of(country), other.of(country), differences);
        }
        if (checksum != other.checksum) {
            differences.add(String.format(Locale.ROOT, "checksum: %016x, not %016x", other.checksum, checksum));
        }
        return differences;
    }

    private long of(String country) {
        return counts.getOrDefault(country, 0L);
    }

    private static void compare(String what, long expected, long actual, List<String> differences) {
        if (expected != actual) {
            differences.add(String.format(Locale.ROOT, "%s: %,d, not %,d", what, actual, expected));
        }
    }
}

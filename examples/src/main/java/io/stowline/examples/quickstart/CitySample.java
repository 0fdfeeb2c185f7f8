package io.stowline.examples.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to read after the load, and what must come of it.
 *
 * @param city the city to find by its keys
 * @param country where to look for names
 * @param prefix how the names begin
 * @param matches how many do
 */
record CitySample(City city, String country, String prefix, long matches) {

    /**
     * Tokyo, and the cities of the United States whose names begin with "San ", as far as they are there; otherwise
     * something of the largest country.
     *
     * @throws IllegalArgumentException if there are no cities
     */
    static CitySample of(Atlas atlas) {
        Country largest =
                atlas.largest().orElseThrow(() -> new IllegalArgumentException("no cities to take a sample of"));
        City first = largest.cursor().next();
        City city = named(atlas, "JP", "Tokyo").orElse(first);
        long matches = matches(atlas, "US", "San ");
        if (matches > 0) {
            return new CitySample(city, "US", "San ", matches);
        }
        String word = first.name().split(" ", 2)[0];
        return new CitySample(city, largest.code(), word, matches(atlas, largest.code(), word));
    }

    private static Optional<City> named(Atlas atlas, String country, String name) {
        List<City> found = new ArrayList<>();
        atlas.country(country)
                .ifPresent(cities -> cities.forEach(city -> {
                    if (city.name().equals(name)) {
                        found.add(city);
                    }
                }));
        return found.stream().findFirst();
    }

    private static long matches(Atlas atlas, String country, String prefix) {
        long[] matches = new long[1];
        atlas.country(country)
                .ifPresent(cities -> cities.forEach(city -> {
                    if (city.name().startsWith(prefix)) {
                        matches[0]++;
                    }
                }));
        return matches[0];
    }
}

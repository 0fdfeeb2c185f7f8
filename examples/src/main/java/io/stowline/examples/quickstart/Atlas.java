package io.stowline.examples.quickstart;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All cities by country, in compact form: the heap holds some 12 MB of them, not 171,075 objects. Not thread-safe. */
final class Atlas {

    private final Map<String, Country> countries = new TreeMap<>();
    private final CityTally tally = new CityTally();

    void add(City city) {
        countries.computeIfAbsent(city.country(), Country::new).add(city);
        tally.add(city);
    }

    Collection<Country> countries() {
        return Collections.unmodifiableCollection(countries.values());
    }

    Optional<Country> country(String code) {
        return Optional.ofNullable(countries.get(code));
    }

    Optional<Country> largest() {
        return countries.values().stream().max(Comparator.comparingInt(Country::size));
    }

    /** What was put in, counted on the way in. */
    CityTally tally() {
        return tally;
    }

    /** The fewest requests that can write everything, when one takes so many cities of one country. */
    long fewestRequests(int mostPerRequest) {
        return countries.values().stream()
                .mapToLong(country -> (country.size() + mostPerRequest - 1L) / mostPerRequest)
                .sum();
    }
}

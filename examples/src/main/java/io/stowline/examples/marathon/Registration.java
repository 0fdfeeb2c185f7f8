package io.stowline.examples.marathon;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.key.KeyFormat;
import java.util.Locale;

/**
 * A runner in a race, under a key that sorts by family name, given name and bib.
 *
 * @param race the race
 * @param key the runner's key there, such as {@code Okafor!Ann!00042}
 * @param bib the number on the shirt
 * @param name the whole name
 * @param age in years
 * @param country by its code
 * @param minutes from the start to the end
 */
record Registration(
        @PartitionKey String race, @RowKey String key, int bib, String name, int age, String country, int minutes) {

    /** The digits of a bib in keys. */
    static final int DIGITS = 5;

    private static final KeyFormat KEY =
            KeyFormat.of().escaped("family").escaped("given").number("bib", DIGITS);

    /** The key of a runner. */
    static String key(String family, String given, int bib) {
        return KEY.format(family, given, bib);
    }

    /** What the keys of a family begin with. */
    static String family(String family) {
        return KEY.prefix(family);
    }

    /** The same runner in another year. */
    Registration aged(int years) {
        return new Registration(race, key, bib, name, years, country, minutes);
    }

    /** The same runner for another country. */
    Registration from(String other) {
        return new Registration(race, key, bib, name, age, other, minutes);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%05d %s, %d, %s", bib, name, age, country);
    }
}

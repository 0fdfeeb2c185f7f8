package io.stowline.examples.quickstart;

import java.util.Map;
import java.util.TreeMap;

/** Cities for tests. */
final class Cities {

    private Cities() {}

    static City number(String country, int number) {
        return City.of(country, "City " + number, "1." + number, "-2.5", "A", "");
    }

    static Country country(String code, int cities) {
        Country country = new Country(code);
        for (int i = 0; i < cities; i++) {
            country.add(number(code, i));
        }
        return country;
    }

    static Atlas atlas(Map<String, Integer> sizes) {
        Atlas atlas = new Atlas();
        new TreeMap<>(sizes).forEach((code, size) -> country(code, size).forEach(atlas::add));
        return atlas;
    }
}

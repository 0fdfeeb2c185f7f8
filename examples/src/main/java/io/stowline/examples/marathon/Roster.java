package io.stowline.examples.marathon;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Makes up the runners of a race, always the same ones. */
final class Roster {

    private static final List<String> FAMILIES = List.of(
            "Abe",
            "Berg",
            "Costa",
            "Diaz",
            "Ek",
            "Fischer",
            "Garcia",
            "Haile",
            "Ito",
            "Jansen",
            "Kim",
            "Lopez",
            "Meyer",
            "Nagy",
            "O'Brien",
            "Okafor",
            "Park",
            "Rossi",
            "Sato",
            "Tanaka",
            "Van den Berg",
            "Weiß",
            "Yılmaz",
            "Zhang");
    private static final List<String> GIVEN = List.of(
            "Ann", "Ben", "Carla", "Dan", "Eva", "Finn", "Grace", "Hana", "Ivan", "Jo", "Kofi", "Lea", "Mia", "Noah",
            "Olga", "Paul", "Rosa", "Sam", "Tess", "Uma", "Viktor", "Yuki");
    private static final List<String> COUNTRIES = List.of("DE", "ES", "ET", "JP", "KE", "MX", "NO", "US");

    private static final int YOUNGEST = 18;
    private static final int OLDEST = 85;
    private static final int FASTEST = 125;
    private static final int SLOWEST = 400;

    private Roster() {}

    static List<Registration> of(Race race, int runners) {
        Random random = new Random(race.key().hashCode());
        return IntStream.rangeClosed(1, runners)
                .mapToObj(bib -> runner(race, bib, random))
                .toList();
    }

    private static Registration runner(Race race, int bib, Random random) {
        String family = one(FAMILIES, random);
        String given = one(GIVEN, random);
        int age = between(YOUNGEST, OLDEST, random);
        String country = one(COUNTRIES, random);
        return new Registration(
                race.key(),
                Registration.key(family, given, bib),
                bib,
                given + " " + family,
                age,
                country,
                between(FASTEST, SLOWEST, random));
    }

    private static int between(int least, int most, Random random) {
        return least + random.nextInt(most - least + 1);
    }

    private static String one(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}

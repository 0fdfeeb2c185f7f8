package io.stowline.examples.registrations;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Runners for tests, always the same ones for the same numbers. */
final class TestRunners {

    static final String HEADER = String.join(",", RunnerCsv.COLUMNS) + "\r\n";

    private static final List<String> COUNTRIES = List.of("DE", "ET", "JP", "KE", "NO", "US");

    private TestRunners() {}

    static Runner runner(String race, int bib) {
        return new Runner(
                race,
                String.format(Locale.ROOT, "runner%05d@example.com", bib),
                bib,
                "Berg, Ann " + bib,
                18 + bib % 60,
                COUNTRIES.get(bib % COUNTRIES.size()));
    }

    static String row(Runner runner) {
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,\"%s\",%d,%s\r\n",
                runner.race(),
                runner.email(),
                runner.bib(),
                runner.name(),
                runner.age(),
                runner.country());
    }

    /** The rows of runners with these bibs, made one at a time. */
    static Iterator<String> rows(String race, int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(bib -> row(runner(race, bib)))
                .iterator();
    }
}

package io.stowline.examples.marathon;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What the table must hold. Not thread-safe. */
final class ExpectedEntities {

    private final TreeSet<Registration> all =
            new TreeSet<>(Comparator.comparing(Registration::race).thenComparing(Registration::key));

    static ExpectedEntities of(List<Race> races, int runners) {
        ExpectedEntities book = new ExpectedEntities();
        races.forEach(race -> book.all.addAll(Roster.of(race, runners)));
        return book;
    }

    /** Those of whom this is true, in the order of their keys. */
    List<Registration> where(Predicate<Registration> condition) {
        return all.stream().filter(condition).toList();
    }

    List<Registration> of(Race race) {
        return where(runner -> runner.race().equals(race.key()));
    }

    Registration bib(Race race, int bib) {
        return where(runner -> runner.race().equals(race.key()) && runner.bib() == bib)
                .get(0);
    }

    int size() {
        return all.size();
    }

    void change(Registration changed) {
        all.remove(changed);
        all.add(changed);
    }

    void remove(Registration gone) {
        all.remove(gone);
    }
}

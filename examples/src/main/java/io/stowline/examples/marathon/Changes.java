package io.stowline.examples.marathon;

import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.QueryClass;
import io.stowline.table.StoredEntity;
import java.util.List;
import java.util.Locale;

/**
 * What happens to registrations: a birthday, a withdrawal, and a clerk who does not know of the indexes.
 *
 * @param registrations the table
 * @param book what it must hold
 * @param enquiries asks and shows
 */
record Changes(Registrations registrations, ExpectedEntities book, QueryReporter enquiries) {

    private static final Race RACE = Race.NEW_YORK;

    void make() {
        birthday(book.bib(RACE, 7));
        withdrawal(book.bib(RACE, 8));
        correction(book.bib(RACE, 9));
    }

    private void birthday(Registration runner) {
        IndexedTable<Registration> indexed = registrations.indexed();
        StoredEntity<Registration> stored =
                indexed.find(runner.race(), runner.key()).orElseThrow();
        Registration older = stored.value().aged(99);
        enquiries.log().clear();
        indexed.replace(stored, older);
        tell(runner + " is 99 now: entity and index rows changed after a look at the bib", 2);
        book.change(older);
        enquiries.ask("Who is 99?", QueryClass.ROW_RANGE, () -> aged(99), List.of(older));
        enquiries.ask(
                "And who is still " + runner.age() + " with that bib?",
                QueryClass.ROW_RANGE,
                () -> aged(runner.age()).stream()
                        .filter(other -> other.bib() == runner.bib())
                        .toList(),
                List.of());
    }

    private List<Registration> aged(int years) {
        try (var runners = registrations.indexed().stream(Registrations.AGE, RACE.key(), years)) {
            return runners.toList();
        }
    }

    private void withdrawal(Registration runner) {
        IndexedTable<Registration> indexed = registrations.indexed();
        StoredEntity<Registration> stored =
                indexed.find(runner.race(), runner.key()).orElseThrow();
        enquiries.log().clear();
        indexed.delete(stored);
        tell(runner + " does not come: entity and index rows removed after a look at the bib", 2);
        book.remove(runner);
        enquiries.ask(
                "Who has bib " + runner.bib() + " now?",
                QueryClass.POINT,
                () -> indexed.find(Registrations.BIB, RACE.key(), runner.bib()).stream()
                        .toList(),
                List.of());
    }

    /** A partial update knows nothing of indexes, so that the copies are mended after it. */
    private void correction(Registration runner) {
        enquiries.log().clear();
        registrations
                .table()
                .merge(runner.race(), runner.key())
                .set("country", "IS")
                .update();
        tell(runner + " is from IS: only the entity changed", 1);
        book.change(runner.from("IS"));
        IndexReport report = registrations.indexed().repair(runner.race());
        enquiries.out().println("  mended: " + report);
        enquiries.differences().expect("rows written again", report.rewritten(), 2L);
        enquiries.ask(
                "Where is bib " + runner.bib() + " from?",
                QueryClass.POINT,
                () -> registrations.indexed().find(Registrations.BIB, RACE.key(), runner.bib()).stream()
                        .toList(),
                List.of(runner.from("IS")));
    }

    private void tell(String what, long requests) {
        enquiries
                .out()
                .printf(
                        Locale.ROOT,
                        "%s (requests: %,d)%n",
                        what,
                        enquiries.log().requests());
        enquiries.differences().expect(what + " (requests)", enquiries.log().requests(), requests);
    }
}

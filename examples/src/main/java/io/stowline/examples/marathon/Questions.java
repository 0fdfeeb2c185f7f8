package io.stowline.examples.marathon;

import io.stowline.projection.filter.Filter;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.QueryClass;
import io.stowline.table.ScanPolicy;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What one wants to know of a marathon, from the cheapest to the dearest question.
 *
 * @param registrations the table
 * @param book what it must hold
 * @param enquiries asks and shows
 */
record Questions(Registrations registrations, ExpectedEntities book, QueryReporter enquiries) {

    private static final Race RACE = Race.NEW_YORK;
    private static final int BIB = 42;
    private static final int OLD = 75;

    void ask() {
        byBib();
        byAge();
        byFamily();
        byCountry();
        ofAllKinds();
        ofAllRaces();
        ofTheWholeTable();
        refused();
    }

    private void byBib() {
        String race = RACE.key();
        enquiries.ask(
                "Who has bib " + BIB + " in " + race + "?",
                QueryClass.POINT,
                () -> registrations.indexed().find(Registrations.BIB, race, BIB).stream()
                        .toList(),
                List.of(book.bib(RACE, BIB)));
    }

    private void byAge() {
        enquiries.ask(
                "Who is 40 to 49 there, the youngest first?",
                QueryClass.ROW_RANGE,
                () -> list(registrations.indexed().range(Registrations.AGE, RACE.key(), 40, 50)),
                book.of(RACE).stream()
                        .filter(runner -> runner.age() >= 40 && runner.age() < 50)
                        .sorted(Comparator.comparing(Registration::age))
                        .toList());
    }

    private static <T> List<T> list(Stream<T> results) {
        try (results) {
            return results.toList();
        }
    }

    private void byFamily() {
        enquiries.ask(
                "Who is named Van den Berg there?",
                QueryClass.ROW_RANGE,
                runners().partition(RACE.key()).rowPrefix(Registration.family("Van den Berg"))::list,
                book.where(runner ->
                        runner.race().equals(RACE.key()) && runner.name().endsWith(" Van den Berg")));
    }

    private void byCountry() {
        enquiries.ask(
                "Who has come from Kenya there?",
                QueryClass.PARTITION,
                runners().partition(RACE.key()).where(country("KE"))::list,
                book.where(runner ->
                        runner.race().equals(RACE.key()) && runner.country().equals("KE")));
    }

    private void ofAllKinds() {
        enquiries.ask(
                "Who is " + OLD + " or older in any race of " + RACE.marathon() + "?",
                QueryClass.PARTITION_RANGE,
                runners()
                        .partitionPrefixes(List.of(Race.prefix(RACE.marathon())))
                        .where(old())::list,
                book.where(runner -> runner.race().startsWith(RACE.marathon()) && runner.age() >= OLD));
    }

    private void ofAllRaces() {
        enquiries.ask(
                "Who is that in all " + Race.ALL.size() + " races, read beside each other?",
                QueryClass.PARTITION,
                runners()
                        .partitions(Race.ALL.stream().map(Race::key).toList())
                        .parallelism(Race.ALL.size())
                        .where(old())::list,
                book.where(runner -> runner.age() >= OLD));
    }

    private void ofTheWholeTable() {
        enquiries.ask(
                "Who has come from Norway to any race? (a warning in the log, for the whole table is looked at)",
                QueryClass.TABLE_SCAN,
                registrations.indexed(ScanPolicy.WARN).query().where(country("NO"))::list,
                book.where(runner -> runner.country().equals("NO")));
    }

    private void refused() {
        String question = "And if such questions are refused?";
        IndexedTable<Registration> careful = registrations.indexed(ScanPolicy.REFUSE);
        String refusal = "carried out";
        enquiries.log().clear();
        try {
            careful.query().where(country("NO")).list();
        } catch (IllegalStateException e) {
            refusal = "refused";
            enquiries
                    .out()
                    .printf(
                            Locale.ROOT,
                            "%s%n  %s: 0 requests%n    %s%n",
                            question,
                            QueryClass.TABLE_SCAN.label(),
                            e.getMessage());
        }
        enquiries.differences().expect(question, refusal, "refused");
        enquiries.differences().expect(question + " (requests)", enquiries.log().requests(), 0L);
    }

    private Query<Registration> runners() {
        return registrations.indexed().query();
    }

    private Filter country(String code) {
        return registrations.table().property("country").equalTo(code);
    }

    private Filter old() {
        return registrations.table().property("age").atLeast(OLD);
    }
}

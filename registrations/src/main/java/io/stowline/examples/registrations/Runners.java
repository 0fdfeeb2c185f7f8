package io.stowline.examples.registrations;

import io.stowline.outcome.WriteResult;
import io.stowline.spring.boot.web.ProblemException;
import io.stowline.spring.boot.web.ProblemType;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Repository;

/**
 * The table of runners. Two index rows beside each runner make the bib unique in its race, and find runners by bib and by age without a scan.
 */
@Repository
class Runners {

    private static final Index<Runner, Integer> BIB =
            Index.number("BIB", 5, Runner::bib).unique();
    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);

    private final IndexedTable<Runner> table;

    Runners(Table<Runner> runners) {
        this.table = runners.indexed(List.of(BIB, AGE));
    }

    IndexedTable<Runner> table() {
        return table;
    }

    WriteResult insert(Runner runner) {
        return table.insert(runner);
    }

    /** Replaces the version that was read, and moves the index rows. */
    WriteResult replace(StoredEntity<Runner> stored, Runner changed) {
        return table.replace(stored.with(changed));
    }

    /** Removes the version that was read, with its index rows. */
    WriteResult delete(StoredEntity<Runner> stored) {
        return table.delete(stored);
    }

    /** Reads a registration. The index row has a copy without the ETag of its entity, so that a second read follows. */
    StoredEntity<Runner> get(String race, int bib) {
        return table.find(BIB, race, bib)
                .flatMap(copy -> table.find(race, copy.email()))
                .filter(stored -> stored.value().bib() == bib)
                .orElseThrow(() ->
                        new ProblemException(ProblemType.NOT_FOUND, "there is no registration " + race + "/" + bib));
    }

    List<Runner> aged(String race, int from, int to, int limit) {
        try (Stream<Runner> found = table.range(AGE, race, from, to + 1)) {
            return found.limit(limit).toList();
        }
    }

    /** Returns the query of a list, whose pages the tokens of the client continue. */
    Query<Runner> inRace(String race) {
        return table.query().partition(race);
    }
}

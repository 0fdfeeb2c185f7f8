package io.stowline.examples.registrations;

import io.stowline.outcome.WriteResult;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
                .orElseThrow(() -> ProblemType.missing("registration", race + "/" + bib));
    }

    List<Runner> aged(String race, int from, int to, int limit) {
        try (Stream<Runner> found = table.range(AGE, race, from, to + 1)) {
            return found.limit(limit).toList();
        }
    }

    Query.Page<Runner> page(String race, @Nullable String token, int size) {
        var query = table.query().partition(race).pageSize(size);
        if (token == null) {
            return query.page();
        }
        try {
            return query.page(token);
        } catch (IllegalArgumentException e) {
            throw ProblemType.invalid("page", token, "a token of the list of this race", e);
        }
    }
}

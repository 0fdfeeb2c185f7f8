package io.stowline.examples.marathon;

import io.stowline.table.IndexSettings;
import io.stowline.table.IndexedTable;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import java.util.Optional;

/**
 * The table of registrations, and by what a runner is found in it.
 *
 * @param table the table
 */
record Registrations(Table<Registration> table) {

    static final String BIB = "BIB";
    static final String AGE = "AGE";

    private static IndexSettings<Registration> indexes(IndexSettings<Registration> none) {
        return none.unique(BIB, runner -> Optional.of(Registration.bibText(runner.bib())))
                .local(AGE, runner -> Optional.of(Registration.ageText(runner.age())));
    }

    IndexedTable<Registration> indexed() {
        return table.indexed(Registrations::indexes);
    }

    /** The same with other rules for scans. */
    IndexedTable<Registration> indexed(ScanPolicy scans) {
        return table.withScanPolicy(scans).indexed(Registrations::indexes);
    }
}

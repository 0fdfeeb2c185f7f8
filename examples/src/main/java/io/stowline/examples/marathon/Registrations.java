package io.stowline.examples.marathon;

import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;

/**
 * The table of registrations, and by what a runner is found in it.
 *
 * @param table the table
 */
record Registrations(Table<Registration> table) {

    static final Index<Registration, Integer> BIB =
            Index.number("BIB", Registration.DIGITS, Registration::bib).unique();
    static final Index<Registration, Integer> AGE = Index.number("AGE", 3, Registration::age);

    IndexedTable<Registration> indexed() {
        return table.indexed(BIB, AGE);
    }

    /** The same with other rules for scans. */
    IndexedTable<Registration> indexed(ScanPolicy scans) {
        return table.withScanPolicy(scans).indexed(BIB, AGE);
    }
}

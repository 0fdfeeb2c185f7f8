package io.stowline.system;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.Table;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A registration that is found by bib and age in its race, and by mail in all of them. */
record Registration(
        @PartitionKey String race,
        @RowKey String id,
        int bib,
        @Nullable Integer age,
        @Nullable String mail) {

    static final Index<Registration, Integer> BIB =
            Index.number("BIB", 5, (Registration each) -> each.bib()).unique();
    static final Index<Registration, Integer> AGE = Index.number("AGE", 3, Registration::age);
    static final Index<Registration, String> MAIL =
            Index.text("MAIL", Registration::mail).global();

    static Registration of(int number) {
        return new Registration("race", "r" + number, number, 20 + number % 60, "m" + number + "@x");
    }

    Registration bib(int number) {
        return new Registration(race, id, number, age, mail);
    }

    Registration aged(@Nullable Integer years) {
        return new Registration(race, id, bib, years, mail);
    }

    Registration mailed(@Nullable String address) {
        return new Registration(race, id, bib, age, address);
    }

    static IndexedTable<Registration> indexed(Table<Registration> table) {
        return table.indexed(List.of(BIB, AGE, MAIL));
    }

    static String bibText(int bib) {
        return "%05d".formatted(bib);
    }

    static String ageText(int age) {
        return "%03d".formatted(age);
    }

    /** The keys of all rows that a table needs for these, as a person would write them. */
    static SortedSet<String> rows(Iterable<Registration> entities) {
        SortedSet<String> rows = new TreeSet<>();
        for (Registration each : entities) {
            rows.add(each.race + " | " + each.id);
            rows.add(each.race + " | BIB:" + bibText(each.bib));
            if (each.age != null) {
                rows.add(each.race + " | AGE:" + ageText(each.age) + "!" + each.id);
            }
            if (each.mail != null) {
                rows.add("MAIL:" + each.mail + " | " + each.race + "!" + each.id);
            }
        }
        return rows;
    }
}

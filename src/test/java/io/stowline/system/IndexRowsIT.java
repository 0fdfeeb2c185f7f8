package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.UnreadableEntityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Index rows beside reads and rows that know nothing of them, and over changes of their functions. */
class IndexRowsIT extends StorageTest {

    private static final Registration ANN = new Registration("race", "ann", 7, 31, "ann@x");
    private static final Registration BOB = new Registration("race", "bob", 12, 45, "pair@x");

    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        runners = Registration.indexed(table);
    }

    private List<Registration> byMail(String mail) {
        try (Stream<StoredEntity<Registration>> found = runners.global(Registration.MAIL, mail)) {
            return found.map(StoredEntity::value).toList();
        }
    }

    @Test
    @DisplayName("T11: put of an equal value over a plain row gives it all of its index rows")
    void putHealsPlainRows() {
        table.insert(ANN);

        runners.insertOrReplace(ANN);

        assertThat(runners.find(Registration.BIB, "race", 7)).contains(ANN);
        assertThat(byMail("ann@x")).containsExactly(ANN);
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("T11: plain queries of a table whose indexes are declared leave index rows out")
    void declared() {
        runners.insert(ANN);
        runners.insert(BOB);

        assertThat(runners.table().query().list()).containsExactly(ANN, BOB);
        assertThat(runners.table().query().partition("race").list()).containsExactly(ANN, BOB);
        assertThat(runners.table().as(Entity.class).query().list()).hasSize(2);
        assertThat(runners.reactive().table().query().list().block()).containsExactly(ANN, BOB);
        assertThat(runners.table().find("race", "ann").orElseThrow().value()).isEqualTo(ANN);
        assertThat(Registration.indexed(runners.table()).find(Registration.BIB, "race", 7))
                .contains(ANN);
    }

    @Test
    @DisplayName("T11, MAP-2: undeclared reads meet rows that say what they are, and can be passed over")
    void undeclared() {
        runners.insert(ANN);

        assertThat(storage.table(table.name()).query().list())
                .extracting(row -> row.get("StowlineIndex"))
                .containsExactlyInAnyOrder(null, "BIB 1", "AGE 1", "MAIL 1");
        assertThatExceptionOfType(UnreadableEntityException.class)
                .isThrownBy(() -> table.query().list())
                .withMessageStartingWith("the entity (MAIL:ann@x, race!ann) of table " + table.name())
                .withMessageContaining("property bib is missing");
        List<String> skipped = new ArrayList<>();
        assertThat(table.query()
                        .skipUnreadable(e -> skipped.add(e.partitionKey()))
                        .list())
                .hasSize(3);
        assertThat(skipped).containsExactly("MAIL:ann@x");
    }

    @Test
    @DisplayName("T11: an entity that an index cannot take, or that its type cannot read, does not stop a repair")
    void oddEntities() {
        table.insert(ANN);
        table.insert(BOB);
        storage.table(table.name())
                .insert(Entity.builder("race", "odd").set("bib", "no number").build());
        Index<Registration, Integer> bib =
                Index.number("BIB", 5, IndexRowsIT::unlessSeven).unique();
        IndexedTable<Registration> picky = table.indexed(bib);

        IndexReport report = picky.repair();

        assertThat(report).isEqualTo(new IndexReport(3, 1, 0, 0, 2));
        assertThat(picky.find(bib, "race", 12)).contains(BOB);
    }

    private static int unlessSeven(Registration each) {
        if (each.bib() == 7) {
            throw new IllegalStateException("seven");
        }
        return each.bib();
    }

    @Test
    @DisplayName("MAP-3: a second partition for a query, which would find nothing, is refused")
    void onePartition() {
        Query<Registration> one = table.query().partition("race");

        assertThat(one.partition("race").list()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> one.partition("other"))
                .withMessageContaining("'race'")
                .withMessageContaining("'other'");
    }

    @Test
    @DisplayName("T11: an index function that fails is named; an entity for which it gives null is not in the index")
    void namesTheFunction() {
        IndexedTable<Registration> failing =
                table.indexed(Index.number("BIB", 5, IndexRowsIT::unlessSeven).unique());
        Index<Registration, String> none = Index.<Registration>text("NONE", r -> null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> failing.insert(ANN))
                .withMessageContaining("index BIB")
                .withMessageContaining("seven");
        table.indexed(none).insert(ANN);
        assertThat(table.indexed(none).stream(none, "race")).isEmpty();
    }

    @Test
    @DisplayName("T11: rows of another version of an index are not read, and repair writes them again")
    void versions() {
        runners.insert(ANN);
        Index<Registration, Integer> bib = Registration.BIB.version(2);
        Index<Registration, Integer> age = Registration.AGE.version(2);
        Index<Registration, String> mail = Registration.MAIL.version(2);
        IndexedTable<Registration> next = table.indexed(List.of(bib, age, mail));

        assertThat(next.find(bib, "race", 7)).isEmpty();
        assertThat(next.stream(age, "race")).isEmpty();
        assertThat(next.global(mail, "ann@x")).isEmpty();

        assertThat(next.repair()).isEqualTo(new IndexReport(1, 0, 0, 3, 0));
        assertThat(next.find(bib, "race", 7)).contains(ANN);
        assertThat(next.stream(age, "race")).containsExactly(ANN);
        assertThat(next.global(mail, "ann@x").map(StoredEntity::value)).containsExactly(ANN);
        assertThat(runners.find(Registration.BIB, "race", 7)).isEmpty();
        assertThat(next.repair().clean()).isTrue();
    }
}

package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.ConflictException;
import io.stowline.table.Entity;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows that others have left where index rows stand. */
class IndexedOwnersIT extends StorageTest {

    private static final Registration ANN = new Registration("race", "ann", 7, 31, "ann@x");
    private static final Registration BOB = new Registration("race", "bob", 7, 45, "bob@x");

    private Table<Registration> table;
    private Table<Entity> plain;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        plain = storage.table(table.name());
        runners = Registration.indexed(table);
    }

    private StoredEntity<Registration> stored(Registration each) {
        return runners.find(each.race(), each.id()).orElseThrow();
    }

    private Optional<Registration> seven() {
        return runners.find(Registration.BIB, "race", 7);
    }

    /** Two entities with one unique value, of which the first one has the index row. */
    private void twoOwnersOfSeven() {
        runners.insert(ANN);
        table.insert(BOB);
        assertThat(runners.repair("race").unresolved()).isEqualTo(1);
    }

    @Test
    @DisplayName("T11: two entities with one unique value are left to somebody who knows which is right")
    void twoOwners() {
        twoOwnersOfSeven();

        assertThat(seven()).contains(ANN);
        table.delete("race", "ann");
        assertThat(runners.repair("race")).isEqualTo(new IndexReport(1, 0, 1, 1, 0));
        assertThat(seven()).contains(BOB);
    }

    @Test
    @DisplayName("T11: a change of one owner of a unique value never takes the index row from the other one")
    void aChangeTakesNothing() {
        twoOwnersOfSeven();

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.replace(stored(BOB).with(BOB.mailed("new@x"))))
                .withMessageContaining("unique index BIB");
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> runners.insertOrReplace(BOB.aged(46)));
        runners.replace(stored(BOB).with(BOB.bib(12)));

        assertThat(seven()).contains(ANN);
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("T11: a delete of one owner of a unique value never removes the index row of the other one")
    void aDeleteTakesNothing() {
        twoOwnersOfSeven();
        runners.delete(stored(BOB));

        assertThat(seven()).contains(ANN);
        assertThat(runners.repair().clean()).isTrue();
    }

    @Test
    @DisplayName("T11: where an index is new and nothing repaired, the second owner is told of the conflict")
    void aNewIndex() {
        table.insert(ANN);
        table.insert(BOB);
        runners.insertOrReplace(ANN.aged(32));

        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> runners.insertOrReplace(BOB));
        assertThat(seven()).contains(ANN.aged(32));
    }

    @Test
    @DisplayName("OUTCOME-9: a foreign row with the key of an index row is left alone")
    void foreignRows() {
        Table<Entity> plain = storage.table(table.name());
        plain.insert(Entity.builder("race", "AGE:someone").set("bib", 1).build());
        plain.insert(Entity.builder("MAIL:x", "someone").set("bib", 1).build());
        runners.insert(ANN);

        assertThat(runners.repair("race").unresolved()).isEqualTo(1);
        assertThat(runners.repair().unresolved()).isEqualTo(2);
        assertThat(plain.find("race", "AGE:someone")).isPresent();
        assertThat(plain.find("MAIL:x", "someone")).isPresent();
    }

    @Test
    @DisplayName("OUTCOME-9: a foreign row with the key of an index row that goes stays")
    void aForeignRowStays() {
        table.insert(ANN);
        plain.insert(Entity.builder("race", "BIB:00007").set("note", "x").build());
        plain.insert(Entity.builder("MAIL:ann@x", "race!ann").set("note", "x").build());
        runners.delete(stored(ANN));

        assertThat(plain.find("race", "BIB:00007")).isPresent();
        assertThat(plain.find("MAIL:ann@x", "race!ann")).isPresent();
    }

    @Test
    @DisplayName("T11: a foreign row with the key of an index row is not taken for an entity")
    void aForeignRowIsNoEntity() {
        runners.insert(ANN);
        plain.insert(Entity.builder("race", "BIB:00099").set("note", "x").build());
        plain.insert(Entity.builder("race", "AGE:031!zoe").set("note", "x").build());

        assertThat(runners.find(Registration.BIB, "race", 99)).isEmpty();
        assertThat(runners.stream(Registration.BIB, "race")).containsExactly(ANN);
        assertThat(runners.stream(Registration.AGE, "race", 31)).containsExactly(ANN);
        assertThat(runners.range(Registration.AGE, "race", 0, 99)).containsExactly(ANN);
    }

    @Test
    @DisplayName("T11: an entity that its type cannot read is counted, and the others are mended")
    void anEntityThatCannotBeRead() {
        runners.insert(BOB);
        plain.insert(Entity.builder("race", "aaa").set("note", "no bib").build());
        plain.insert(Entity.builder("race", "BIB:00001")
                .set("note", "whose copy nobody can tell")
                .build());
        table.delete("race", "BIB:00007");

        assertThat(runners.repair("race")).isEqualTo(new IndexReport(2, 1, 0, 0, 2));
        assertThat(seven()).contains(BOB);
    }

    @Test
    @DisplayName("T11: a partition of references is none of entities, whatever their keys look like")
    void aPartitionOfReferences() {
        Registration odd = new Registration("BIB:1", "eve", 9, 20, "pair@x");
        runners.insert(odd);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.repair("MAIL:pair@x"))
                .withMessageContaining("MAIL:");
        assertThatIllegalArgumentException().isThrownBy(() -> runners.stream(Registration.BIB, "MAIL:pair@x"));
        assertThatIllegalArgumentException().isThrownBy(() -> runners.find(Registration.BIB, "MAIL:pair@x", 1));
        assertThat(runners.global(Registration.MAIL, "pair@x").map(StoredEntity::value))
                .containsExactly(odd);
        assertThat(runners.repair().clean()).isTrue();
    }
}

package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.TransactionFailedException;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.Transaction;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Explicit transactions of entities with index rows. */
class IndexedTransactionIT extends StorageTest {

    private static final Registration ANN = new Registration("race", "ann", 7, 31, "ann@x");
    private static final Registration BOB = new Registration("race", "bob", 12, 45, "pair@x");
    private static final Registration CAT = new Registration("race", "cat", 3, 31, "pair@x");

    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void makeTable() {
        table = freshTable(Registration.class);
        runners = Registration.indexed(table);
    }

    private void holds(Registration... entities) {
        assertThat(IndexedIT.rows(storage, table.name()))
                .containsExactlyElementsOf(Registration.rows(List.of(entities)));
        assertThat(runners.query().list()).containsExactlyInAnyOrder(entities);
        assertThat(runners.repair().clean()).isTrue();
    }

    private StoredEntity<Registration> stored(Registration each) {
        return runners.find(each.race(), each.id()).orElseThrow();
    }

    @Test
    @DisplayName(
            "T11 T12: entities of a transaction and their copies are written by one request, whatever is done to them")
    void everyVerb() {
        runners.insert(BOB);
        runners.insert(CAT);
        StoredEntity<Registration> cat = stored(CAT);
        proxy().awaitIdle(Duration.ofSeconds(20));
        proxy().clear();

        var written = runners.transaction("race")
                .insert(ANN)
                .insertOrReplace(BOB.aged(46))
                .replace(cat.with(CAT.bib(4).mailed(null)))
                .commit();

        assertThat(written).hasSize(3).allMatch(each -> !each.etag().isEmpty());
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded(requests().path("**/$batch"))).hasSize(1);
        holds(ANN, BOB.aged(46), CAT.bib(4).mailed(null));
        assertThat(stored(ANN).etag()).isEqualTo(written.get(0).etag());

        runners.transaction("race")
                .delete(ANN)
                .delete("cat")
                .merge(stored(BOB).with(new Registration("race", "bob", 13, null, "new@x")))
                .commit();
        holds(new Registration("race", "bob", 13, 46, "new@x"));

        runners.reactive()
                .transaction("race")
                .insertOrMerge(new Registration("race", "bob", 14, null, null))
                .insertOrMerge(CAT)
                .commit()
                .block(Duration.ofSeconds(30));
        holds(new Registration("race", "bob", 14, 46, "new@x"), CAT);
    }

    @Test
    @DisplayName("T11: two entities change their unique values for each other's in one transaction")
    void swap() {
        runners.insert(ANN);
        runners.insert(BOB);

        runners.transaction("race")
                .replace(stored(ANN).with(ANN.bib(12)))
                .replace(stored(BOB).with(BOB.bib(7)))
                .commit();

        holds(ANN.bib(12), BOB.bib(7));
        runners.transaction("race").delete(ANN).insert(CAT.bib(12)).commit();
        holds(BOB.bib(7), CAT.bib(12));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.transaction("race")
                        .insert(ANN.bib(1))
                        .insertOrReplace(BOB.bib(1))
                        .commit())
                .withMessageContaining("unique index BIB");
        assertThat(runners.query().list()).containsExactlyInAnyOrder(BOB.bib(7), CAT.bib(12));
    }

    @Test
    @DisplayName("OUTCOME-3: the failure names the operation, whether it is its entity or an index row that is refused")
    void failures() {
        Registration plain = ANN.mailed(null);
        runners.insert(plain);
        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> runners.transaction("race")
                        .insert(BOB.mailed(null))
                        .insert(CAT.mailed(null).bib(7))
                        .commit())
                .satisfies(e -> assertThat(e.index()).isEqualTo(1))
                .withCauseInstanceOf(ConflictException.class)
                .withMessageContaining("unique index BIB");
        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> runners.transaction("race")
                        .insert(BOB.mailed(null))
                        .insert(plain.bib(8))
                        .commit())
                .satisfies(e -> assertThat(e.index()).isEqualTo(1))
                .withCauseInstanceOf(ConflictException.class);
        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> runners.transaction("race")
                        .insert(BOB.mailed(null))
                        .delete("cat")
                        .commit())
                .satisfies(e -> assertThat(e.index()).isEqualTo(1))
                .withCauseInstanceOf(NotFoundException.class);
        StoredEntity<Registration> old = stored(plain);
        runners.replace(old.with(plain.aged(32)));
        assertThatExceptionOfType(TransactionFailedException.class)
                .isThrownBy(() -> runners.transaction("race")
                        .insert(BOB.mailed(null))
                        .replace(old.with(plain))
                        .commit())
                .withCauseInstanceOf(PreconditionFailedException.class);
        holds(plain.aged(32));
    }

    @Test
    @DisplayName("T11 T17: what is too much for one transaction is refused with the numbers before anything is written")
    void limits() {
        Transaction<Registration> full = runners.transaction("race");
        IntStream.range(0, 33).mapToObj(Registration::of).forEach(full::insert);
        assertThat(full.commit()).hasSize(33);

        Transaction<Registration> more = runners.transaction("more");
        IntStream.range(0, 34)
                .mapToObj(i -> new Registration("more", "r" + i, i, i, "one@x"))
                .forEach(more::insert);
        assertThatIllegalArgumentException()
                .isThrownBy(more::commit)
                .withMessageContaining("102 operations")
                .withMessageContaining("34 for its entities")
                .withMessageContaining("68 for their index rows")
                .withMessageContaining("limit is 100");
        assertThat(runners.global(Registration.MAIL, "one@x")).isEmpty();
        assertThat(storage.table(table.name()).query().partition("MAIL:one@x").list())
                .isEmpty();

        assertThatIllegalStateException().isThrownBy(full::commit);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.transaction("race").insert(ANN).insertOrReplace(ANN))
                .withMessageContaining("second for this entity");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.transaction("other").insert(ANN))
                .withMessageContaining("'other'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.transaction("race").delete("BIB:00001"))
                .withMessageContaining("index BIB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.transaction("race").commit())
                .withMessageContaining("no operation");
        assertThatIllegalArgumentException().isThrownBy(() -> runners.transaction("MAIL:one@x"));
    }
}

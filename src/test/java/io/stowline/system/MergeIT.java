package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.Property;
import io.stowline.projection.RowKey;
import io.stowline.table.Entity;
import io.stowline.table.EntityMerge;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.SentRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MergeIT extends StorageTest {

    private enum Status {
        OPEN,
        CLOSED
    }

    private record Account(
            @PartitionKey String tenant,
            @RowKey String id,
            String name,
            @Property("Years") int age,
            long points,
            Status status) {}

    /** The part of an account that a clerk sees. */
    private record Name(@PartitionKey String tenant, @RowKey String id, String name) {}

    private static final Account ANN = new Account("t", "1", "Ann", 40, 7L, Status.OPEN);

    private FaultProxy proxy;
    private Table<Account> accounts;
    private WriteResult inserted;

    @BeforeEach
    void makeTable() {
        proxy = proxy();
        accounts = freshTable(Account.class);
        inserted = accounts.insert(ANN);
        proxy.clear();
    }

    private List<SentRequest> sent() {
        return proxy.recorded(requests()).stream()
                .map(RecordedExchange::request)
                .toList();
    }

    private Account found() {
        return accounts.find("t", "1").orElseThrow().value();
    }

    @Test
    @DisplayName("T13, MAP-1: a partial update is one request that says If-Match and names only what it sets")
    void sendsOnlyWhatItSets() {
        accounts.merge("t", "1").set("age", 41).set("status", Status.CLOSED).update();

        assertThat(sent()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.header("If-Match")).isEqualTo("*");
            assertThat(request.text())
                    .contains("\"Years\":41")
                    .contains("\"status\":\"CLOSED\"")
                    .doesNotContain("name")
                    .doesNotContain("points");
        });
        assertThat(found()).isEqualTo(new Account("t", "1", "Ann", 41, 7L, Status.CLOSED));
    }

    @Test
    @DisplayName("MAP-1: with an ETag it holds for that version only, and an update never makes an entity")
    void holdsForItsVersion() {
        EntityMerge<Account> merge = accounts.merge("t", "1").set("age", 41).ifMatch(inserted.etag());
        merge.update();

        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(merge::update);
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> accounts.merge("t", "2").set("age", 41).update());
        assertThat(accounts.find("t", "2")).isEmpty();
    }

    @Test
    @DisplayName("T13: insertOrMerge makes what is not there, and takes no ETag (M1)")
    void makesWhatIsNotThere() {
        accounts.merge("t", "2")
                .set("Years", 20)
                .set("name", "Bob")
                .set("points", 1)
                .insertOrMerge();

        assertThat(accounts.find("t", "2"))
                .map(StoredEntity::value)
                .contains(new Account("t", "2", "Bob", 20, 1L, null));
        proxy.clear();
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        accounts.merge("t", "2").set("age", 1).ifMatch("*").insertOrMerge())
                .withMessageContaining("ifMatch");
        assertThat(sent()).isEmpty();
    }

    @Test
    @DisplayName("MAP-2, MAP-3: names and values are checked at once")
    void checksAtOnce() {
        EntityMerge<Account> merge = accounts.merge("t", "1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> merge.set("agee", 1))
                .withMessageContaining("agee")
                .withMessageContaining("age");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> merge.set("age", "old"))
                .withMessageContaining("Years")
                .withMessageContaining("java.lang.String");
        assertThatIllegalArgumentException().isThrownBy(() -> merge.set("age", 1L << 40));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> merge.set("name", null))
                .withMessageContaining("cannot remove a property");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> merge.set("tenant", "other"))
                .withMessageContaining("PartitionKey");
        assertThatIllegalArgumentException().isThrownBy(() -> merge.ifMatch(""));
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.merge("a/b", "1"));
        assertThatIllegalStateException().isThrownBy(merge::update).withMessageContaining("sets no property");
        assertThat(sent()).isEmpty();
    }

    private record Address(String street, String city) {}

    private record Customer(
            @PartitionKey String tenant,
            @RowKey String id,
            @Nested Address address) {}

    @Test
    @DisplayName("T13: a path names a property of a nested value")
    void aPathNamesANestedProperty() {
        Table<Customer> customers = accounts.as(Customer.class);
        customers.insert(new Customer("t", "9", new Address("Main Street", "Bonn")));

        customers.merge("t", "9").set("address.city", "Kiel").update();

        assertThat(customers.find("t", "9"))
                .map(StoredEntity::value)
                .contains(new Customer("t", "9", new Address("Main Street", "Kiel")));
    }

    @Test
    void anEntityTakesAnyPropertyAndStepsDoNotChangeEachOther() {
        Table<Entity> entities = accounts.as(Entity.class);
        EntityMerge<Entity> older = entities.merge("t", "1").set("Years", 50);
        older.set("Years", 60).set("note", "x");
        older.set("extra", 2.0).update();

        assertThat(entities.find("t", "1").orElseThrow().value().properties())
                .containsEntry("Years", 50)
                .containsEntry("extra", 2.0)
                .containsEntry("name", "Ann")
                .doesNotContainKey("note");
    }

    @Test
    @DisplayName("OUTCOME-1: a merge whose response is lost is read back, as every single write")
    void aLostResponseIsReadBack() {
        proxy.when(requests().method("PATCH").nth(1)).loseResponse();

        WriteResult written =
                accounts.merge("t", "1").set("age", 41).ifMatch(inserted.etag()).update();

        assertThat(written.outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(found().age()).isEqualTo(41);
    }

    @Test
    @DisplayName("DESIGN: both faces of a merge do the same, and the reactive one sends with each subscription")
    void bothFacesDoTheSame() {
        var update = accounts.reactive().merge("t", "1").set("age", 41).update();
        assertThat(sent()).isEmpty();
        assertThat(update.block().etag()).isNotEqualTo(update.block().etag());
        accounts.reactive()
                .as(Name.class)
                .merge("t", "3")
                .set("name", "Cem")
                .insertOrMerge()
                .block();

        assertThat(found().age()).isEqualTo(41);
        assertThat(accounts.as(Name.class).find("t", "3"))
                .map(StoredEntity::value)
                .contains(new Name("t", "3", "Cem"));
    }

    @Test
    @DisplayName("T10: a view fetches only its own properties")
    void aViewFetchesOnlyItsOwn() {
        Table<Name> names = accounts.as(Name.class);

        assertThat(names.find("t", "1")).map(StoredEntity::value).contains(new Name("t", "1", "Ann"));
        assertThat(names.query().partition("t").list()).containsExactly(new Name("t", "1", "Ann"));
        assertThat(sent()).hasSize(2).allSatisfy(request -> assertThat(request.target())
                .contains("$select=PartitionKey%2CRowKey%2Cname")
                .doesNotContain("Years"));
    }

    @Test
    @DisplayName("MAP-1: merge keeps the columns that an older type does not have, replace is named for removing them")
    void replacesTheWhole() {
        Table<Name> older = accounts.as(Name.class);

        older.merge(older.find("t", "1").orElseThrow().with(new Name("t", "1", "Anne")));
        assertThat(accounts.find("t", "1").orElseThrow().value())
                .isEqualTo(new Account("t", "1", "Anne", 40, 7L, Status.OPEN));

        older.replace(older.find("t", "1").orElseThrow().with(new Name("t", "1", "Anna")));
        assertThat(storage.table(accounts.name())
                        .find("t", "1")
                        .orElseThrow()
                        .value()
                        .properties())
                .containsOnlyKeys("name")
                .containsEntry("name", "Anna");
    }

    @Test
    @DisplayName("T13: a merge of a view leaves alone what the view does not have")
    void aViewMergesOnlyItsOwn() {
        Table<Name> names = accounts.as(Name.class);
        names.insertOrMerge(new Name("t", "1", "Anna"));
        assertThat(found()).isEqualTo(new Account("t", "1", "Anna", 40, 7L, Status.OPEN));

        StoredEntity<Name> read = names.find("t", "1").orElseThrow();
        names.merge(read.with(new Name("t", "1", "Anne")));
        names.transaction("t").insertOrMerge(new Name("t", "4", "Dan")).commit();
        try (var writer = names.writer()) {
            writer.insertOrMerge(new Name("t", "5", "Eve"));
        }

        assertThat(found()).isEqualTo(new Account("t", "1", "Anne", 40, 7L, Status.OPEN));
        assertThat(names.query().partition("t").list()).extracting(Name::name).containsExactly("Anne", "Dan", "Eve");
        assertThat(names.name()).isEqualTo(accounts.name());
    }

    private record Keyless(String name) {}

    @Test
    void aViewNeedsKeys() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> accounts.as(Keyless.class))
                .withMessageContaining("Keyless")
                .withMessageContaining("@PartitionKey");
        assertThatIllegalArgumentException().isThrownBy(() -> accounts.as(String.class));
    }
}

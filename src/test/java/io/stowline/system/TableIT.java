package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableIT extends StorageTest {

    private static final String RACE = "2026 New York City Marathon__Full";

    @Test
    void makesAndRemovesTables() {
        Table<Entity> table = storage.table(freshName());

        assertThat(table.createIfMissing()).isTrue();
        assertThat(table.createIfMissing()).isFalse();
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(table::create)
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("TableAlreadyExists"));
        assertThat(storage.listTables()).contains(table.name());

        table.drop();
        assertThat(storage.listTables()).doesNotContain(table.name());
        assertThat(table.dropIfExists()).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(table::drop);
    }

    @Test
    void insertsOnceAndFindsWhatWasWritten() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 1);

        WriteResult written = runners.insert(runner);
        Optional<StoredEntity<Runner>> found = runners.find(runner.race(), runner.id());

        assertThat(found).map(StoredEntity::value).contains(runner);
        assertThat(found).map(StoredEntity::etag).contains(written.etag());
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners.insert(runner))
                .satisfies(e -> {
                    assertThat(e.failure().status()).isEqualTo(409);
                    assertThat(e.failure().errorCode()).isEqualTo("EntityAlreadyExists");
                    assertThat(e.failure().attempts()).isEqualTo(1);
                    assertThat(e.failure().unansweredAttempts()).isZero();
                    assertThat(e).hasMessageContaining("insert").hasMessageContaining(runner.id());
                });
    }

    @Test
    void findsNothingWhereThereIsNothing() {
        Table<Runner> runners = freshTable(Runner.class);

        assertThat(runners.find(RACE, "nobody")).isEmpty();
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.table(freshName()).find(RACE, "nobody"))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("TableNotFound"));
    }

    @Test
    @DisplayName("T13: insertOrMerge keeps what it does not name, insertOrReplace does not")
    void upsertsByTheServicesOwnNames() {
        Table<Entity> table = freshTable();
        table.insert(Entity.builder("p", "r").set("a", 1).set("b", "two").build());

        table.insertOrMerge(Entity.builder("p", "r").set("b", "three").build());
        assertThat(table.find("p", "r").orElseThrow().value().properties())
                .containsEntry("a", 1)
                .containsEntry("b", "three");

        WriteResult replaced =
                table.insertOrReplace(Entity.builder("p", "r").set("c", true).build());
        StoredEntity<Entity> last = table.find("p", "r").orElseThrow();
        assertThat(last.value().properties()).containsOnlyKeys("c");
        assertThat(last.etag()).isEqualTo(replaced.etag());
    }

    @Test
    @DisplayName("MAP-1: an update holds only for the version that was read")
    void updatesConditionally() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 1);
        StoredEntity<Runner> first =
                StoredEntity.of(runner, runners.insert(runner).etag());

        WriteResult second = runners.replace(first.with(runner.aged(55)));

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> runners.replace(first.with(runner.aged(56))))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("UpdateConditionNotSatisfied"));
        assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> runners.delete(first));
        assertThat(runners.find(runner.race(), runner.id()))
                .map(StoredEntity::value)
                .map(Runner::age)
                .contains(55);
        runners.delete(StoredEntity.of(runner, second.etag()));
        assertThat(runners.find(runner.race(), runner.id())).isEmpty();
    }

    @Test
    @DisplayName("MAP-1: without an ETag nothing is sent, so an update never becomes an upsert")
    void refusesUpdatesWithoutVersion() {
        Table<Runner> runners = freshTable(Runner.class);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.replace(StoredEntity.of(Runner.of(RACE, 1), "")))
                .withMessageContaining("ETag");
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> runners.replace(StoredEntity.anyVersion(Runner.of(RACE, 1))));
        assertThat(runners.find(RACE, Runner.of(RACE, 1).id())).isEmpty();
    }

    @Test
    @DisplayName("MAP-2: in a merge a null component means unchanged")
    void mergesWithoutTouchingWhatIsNull() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 1);
        WriteResult written = runners.insert(runner);

        runners.merge(StoredEntity.of(new Runner(runner.race(), runner.id(), null, 99), written.etag()));

        assertThat(runners.find(runner.race(), runner.id()))
                .map(StoredEntity::value)
                .contains(runner.aged(99));
    }

    @Test
    @DisplayName("OUTCOME-3: a deletion of what is not there is told as such")
    void deletesWhateverVersion() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 1);
        runners.insert(runner);

        assertThat(runners.deleteIfExists(runner.race(), runner.id())).isTrue();
        assertThat(runners.deleteIfExists(runner.race(), runner.id())).isFalse();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> runners.delete(runner.race(), runner.id()));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> storage.table(freshName()).deleteIfExists("p", "r"));
    }

    @Test
    @DisplayName("T17: keys with quotes, unicode and everything a URL would mangle come back as they went")
    void keepsDifficultKeys() {
        Table<Entity> table = freshTable();
        for (String key : new String[] {
            "", "it's", "a b+c%20&d=e;f:g,h@i!*()", "日本語 — emoji 😀", "%2F..", "\"quoted\"", "İstanbul'un"
        }) {
            Entity entity = Entity.builder("p" + key, key).set("v", key).build();
            WriteResult written = table.insert(entity);
            assertThat(table.find("p" + key, key))
                    .as(key)
                    .map(StoredEntity::value)
                    .contains(entity);
            table.replace(StoredEntity.of(entity, written.etag()));
            table.delete("p" + key, key);
        }
    }

    @Test
    @DisplayName("MAP-3, T20: bad keys, names and sizes are refused before anything is sent")
    void refusesWhatTheServiceWould() {
        Table<Entity> nowhere = storage.table(freshName());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> nowhere.find("a/b", "r"))
                .withMessageContaining("PartitionKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nowhere.insert(
                        Entity.builder("p", "r").set("text", "x".repeat(32_769)).build()))
                .withMessageContaining("text")
                .withMessageContaining("32769")
                .withMessageContaining("32768");
        Entity.Builder large = Entity.builder("p", "r");
        for (int i = 0; i < 17; i++) {
            large.set("b" + i, new byte[65_536]);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> nowhere.insert(large.build()))
                .withMessageContaining("1 MiB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.table("1x"))
                .withMessageContaining("1x");
    }

    @Test
    void readsAndWritesThroughTheReactiveFace() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 7);

        StoredEntity<Runner> found = runners.reactive()
                .insert(runner)
                .then(runners.reactive().find(runner.race(), runner.id()))
                .block();

        assertThat(found).isNotNull();
        assertThat(found.value()).isEqualTo(runner);
        assertThat(runners.reactive().find(RACE, "nobody").blockOptional()).isEmpty();
    }

    @Test
    @DisplayName("DESIGN: user code never runs on an I/O thread")
    void deliversOnCallbackThreads() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of(RACE, 7);

        String thread = runners.reactive()
                .insert(runner)
                .map(written -> Thread.currentThread().getName())
                .block();

        assertThat(thread).matches("stowline-.+-callback-\\d+");
    }

    record Keyless(String name) {}

    @Test
    @DisplayName("MAP-2: a type that cannot be written is refused when the table is made")
    void refusesTypesWithoutKeys() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.table("anything", Keyless.class))
                .withMessageContaining("Keyless")
                .withMessageContaining("@PartitionKey");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> storage.table("anything", String.class))
                .withMessageContaining("String");
    }
}

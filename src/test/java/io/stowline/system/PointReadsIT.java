package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.NotFoundException;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Reads by keys, deletions by values, and whether a table exists. */
class PointReadsIT extends StorageTest {

    private static EntityKey key(Runner runner) {
        return new EntityKey(runner.race(), runner.id());
    }

    @Test
    void findsAllThatExistInTheOrderOfTheKeys() {
        Table<Runner> runners = freshTable(Runner.class);
        List<Runner> all = IntStream.range(0, 120)
                .mapToObj(i -> Runner.of(i % 2 == 0 ? "full" : "half", i))
                .toList();
        try (var writer = runners.writer()) {
            all.forEach(writer::insert);
        }
        List<Runner> mixed = new ArrayList<>(all);
        Collections.reverse(mixed);
        List<EntityKey> keys =
                new ArrayList<>(mixed.stream().map(PointReadsIT::key).toList());
        keys.add(3, new EntityKey("full", "none"));
        keys.add(keys.get(0));
        proxy().clear();

        assertThat(runners.findAll(keys)).extracting(StoredEntity::value).isEqualTo(mixed);
        assertThat(proxy().recorded(requests().method("GET"))).hasSize(121);
        assertThat(runners.reactive().findAll(keys).block())
                .extracting(StoredEntity::value)
                .isEqualTo(mixed);
        assertThat(runners.findAll(List.of())).isEmpty();
    }

    @Test
    void sendsNothingWhenAKeyIsNotAllowed() {
        Table<Runner> runners = freshTable(Runner.class);
        proxy().clear();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.findAll(List.of(new EntityKey("full", "1"), new EntityKey("a/b", "1"))))
                .withMessageContaining("PartitionKey");
        assertThat(proxy().recorded(requests())).isEmpty();
    }

    @Test
    void ofAMissingTableIsAFailure() {
        Table<Runner> missing = storage.table(freshName(), Runner.class);

        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> missing.findAll(List.of(new EntityKey("full", "1"))));
    }

    @Test
    void deletesByValue() {
        Table<Runner> runners = freshTable(Runner.class);
        Runner ann = Runner.of("full", 1);
        runners.insert(ann);

        runners.delete(ann.aged(99));

        assertThat(runners.find("full", ann.id())).isEmpty();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> runners.delete(ann));
    }

    @Test
    void writersAndTransactionsDeleteByValue() {
        Table<Runner> runners = freshTable(Runner.class);
        List<Runner> all =
                IntStream.range(0, 5).mapToObj(i -> Runner.of("full", i)).toList();
        all.forEach(runners::insert);

        try (TableWriter<Runner> writer = runners.writer()) {
            writer.delete(all.get(0));
            writer.reactive().delete(all.get(1)).block();
            writer.reactive()
                    .write(Flux.just(TableOperation.delete(all.get(2))))
                    .blockLast();
        }
        runners.transaction("full").delete(all.get(3)).commit();
        runners.reactive().transaction("full").delete(all.get(4)).commit().block();

        assertThat(runners.query().count()).isZero();
    }

    @Test
    void knowsWhetherTheTableExists() {
        Table<Runner> runners = storage.table(freshName(), Runner.class);

        assertThat(runners.exists()).isFalse();
        runners.create();
        assertThat(runners.exists()).isTrue();
        assertThat(runners.reactive().exists().block()).isTrue();
        runners.drop();
        assertThat(runners.exists()).isFalse();
    }
}

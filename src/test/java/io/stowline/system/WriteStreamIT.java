package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.error.ConflictException;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Entity;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class WriteStreamIT extends StorageTest {

    private static final Duration SAFETY = Duration.ofSeconds(60);

    @Test
    @DisplayName("BATCH-7: a stream of operations is written in batches, and each result carries its own context")
    void carriesContexts() {
        Table<Runner> runners = freshTable(Runner.class);
        ReactiveTableWriter<Runner> writer = runners.writer().reactive();

        List<Integer> written = writer.write(
                        Flux.range(0, 3_000).map(i -> TableOperation.insertOrReplace(Runner.of("race " + i % 4, i))
                                .with(i)))
                .doOnNext(ItemResult::get)
                .map(ItemResult::item)
                .collectList()
                .block(SAFETY);

        assertThat(written).hasSize(3_000).doesNotHaveDuplicates();
        assertThat(runners.query().partition("race 3").list()).hasSize(750);
        assertThat(writer.stats().requests()).isLessThan(300);
        assertThat(writer.close().blockOptional(SAFETY)).isEmpty();
    }

    @Test
    @DisplayName(
            "BATCH-1, BATCH-9, BATCH-11: an operation that is refused or fails is a result with its context and not"
                    + " the end")
    void failuresAreResults() {
        Table<Entity> table = freshTable();
        Entity entity = Entity.builder("p", "first").set("n", 1).build();
        StoredEntity<Entity> first =
                StoredEntity.of(entity, table.insert(entity).etag());
        ReactiveTableWriter<Entity> writer = table.writer().reactive();
        Entity oversize =
                Entity.builder("p", "big").set("text", "x".repeat(40_000)).build();

        Map<String, ItemResult<String, WriteResult>> results = writer.write(Flux.just(
                        TableOperation.insert(Entity.builder("p", "first").build())
                                .with("conflict"),
                        TableOperation.insert(oversize).with("oversize"),
                        TableOperation.<Entity>delete("p", "bad/key").with("bad key"),
                        TableOperation.replace(first).with("update"),
                        TableOperation.insertOrMerge(
                                        Entity.builder("p", "second").build())
                                .with("second")))
                .collect(Collectors.toMap(ItemResult::item, Function.identity()))
                .block(SAFETY);

        assertThat(results).isNotNull();
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> results.get("conflict").get());
        assertThat(results.get("oversize").error()).isInstanceOf(IllegalArgumentException.class);
        assertThat(results.get("bad key").error()).isInstanceOf(IllegalArgumentException.class);
        assertThat(results.get("update").get().etag()).isNotEqualTo(first.etag());
        assertThat(results.get("second").error()).isNull();
        writer.close().block(SAFETY);
    }
}

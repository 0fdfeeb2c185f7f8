package io.stowline.system;

import static io.stowline.projection.filter.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class QueryIT extends StorageTest {

    record Name(String name) {}

    private Table<Runner> runners;

    @BeforeEach
    void fill() {
        runners = freshTable(Runner.class);
        try (var writer = runners.writer()) {
            IntStream.range(0, 250).mapToObj(i -> Runner.of("full", i)).forEach(writer::insert);
            IntStream.range(0, 30).mapToObj(i -> Runner.of("half", i)).forEach(writer::insert);
        }
    }

    @Test
    void readsAPartitionInOrder() {
        List<Runner> full = runners.query().partition("full").list();

        assertThat(full).hasSize(250).isSortedAccordingTo((a, b) -> a.id().compareTo(b.id()));
        assertThat(full.get(17)).isEqualTo(Runner.of("full", 17));
    }

    @Test
    @DisplayName("T10: a projection fetches only its own properties")
    void projects() {
        List<Name> names = runners.query()
                .partition("half")
                .rowPrefix("BIB:0000")
                .as(Name.class)
                .list();

        assertThat(names).hasSize(10).first().isEqualTo(new Name("Runner 0"));
    }

    @Test
    void selectsPropertiesOfEntities() {
        Table<Entity> entities = storage.table(runners.name());

        Entity first = entities.query().partition("half").select("age").first().orElseThrow();

        assertThat(first.partitionKey()).isEqualTo("half");
        assertThat(first.properties()).containsOnlyKeys("age");
    }

    @Test
    @DisplayName("T9: filters run on the service")
    void filters() {
        assertThat(runners.query()
                        .partition("full")
                        .where(property("age").atLeast(70))
                        .where(property("name").startsWith("Runner 5"))
                        .list())
                .extracting(Runner::age, Runner::name)
                .allSatisfy(found -> assertThat((Integer) found.toList().get(0)).isGreaterThanOrEqualTo(70))
                .isNotEmpty();
        assertThat(runners.query()
                        .partition("half")
                        .where(property("age").equalTo(21).or(property("age").equalTo(22)))
                        .list())
                .hasSize(2);
        assertThat(runners.query()
                        .partition("half")
                        .rowRange("BIB:00010", "BIB:00020")
                        .list())
                .hasSize(10);
        assertThat(runners.query().where(property("age").equalTo(21).not()).list())
                .hasSize(280 - 6);
    }

    @Test
    @DisplayName("MAP-4: every type is quoted as its own literal")
    void quotesEveryType() {
        Table<Entity> table = freshTable();
        Instant time = Instant.parse("2026-11-21T03:48:35.3031181Z");
        UUID id = UUID.randomUUID();
        table.insert(Entity.builder("p", "it's")
                .set("s", "O'Hara & Söhne")
                .set("b", true)
                .set("i", -5)
                .set("l", Long.MAX_VALUE)
                .set("d", 5.0)
                .set("t", time)
                .set("g", id)
                .set("x", new byte[] {0, -1})
                .build());

        for (Filter filter : List.of(
                Filter.rowKey().equalTo("it's"),
                property("s").equalTo("O'Hara & Söhne"),
                property("b").isTrue(),
                property("i").equalTo(-5),
                property("l").equalTo(Long.MAX_VALUE),
                property("d").equalTo(5.0),
                property("t").equalTo(time),
                property("g").equalTo(id),
                property("x").equalTo(new byte[] {0, -1}))) {
            assertThat(table.query().where(filter).list()).as(filter.toOData()).hasSize(1);
            assertThat(table.query().where(filter.not()).list())
                    .as("not " + filter.toOData())
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("MAP-4: a value of another type than the record's property is refused")
    void checksTypes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.query().where(property("age").atLeast(40L)))
                .withMessageContaining("age");
    }

    @Test
    @DisplayName("MAP-5: the page size does not limit the results, the limit does")
    void tellsPageSizeFromLimit() {
        Query<Runner> paged = runners.query().partition("full").pageSize(7);

        assertThat(paged.list()).hasSize(250);
        assertThat(paged.limit(20).list()).hasSize(20);
        assertThat(paged.limit(1_000).list()).hasSize(250);
        assertThat(paged.first()).contains(Runner.of("full", 0));
        assertThat(runners.query().partition("nowhere").first()).isEmpty();
    }

    @Test
    void streamsLazily() {
        try (Stream<Runner> stream = runners.query().pageSize(10).stream()) {
            assertThat(stream.limit(25)).hasSize(25);
        }
        assertThat(runners.query().pageSize(10).limit(25).stream()).hasSize(25);
    }

    @Test
    void givesVersionsWhenRequested() {
        StoredEntity<Runner> one =
                runners.query().partition("half").streamStored().findFirst().orElseThrow();

        assertThat(one.etag())
                .isEqualTo(runners.find("half", one.value().id()).orElseThrow().etag());
        assertThat(runners.replace(one.with(one.value().aged(99))).etag()).isNotEqualTo(one.etag());
    }

    @Test
    @DisplayName("MAP-5: a Flux follows continuations by demand")
    void streamsReactively() {
        Flux<Runner> full = runners.reactive().query().partition("full").pageSize(9).stream();

        assertThat(full.count().block()).isEqualTo(250);
        assertThat(full.take(20).collectList().block()).hasSize(20);
        assertThat(full.limitRate(5).map(Runner::id).collectList().block())
                .hasSize(250)
                .doesNotHaveDuplicates();
        assertThat(runners.reactive().query().partition("full").limit(33).list().block())
                .hasSize(33);
    }

    @Test
    @DisplayName("MAP-3: more than 15 comparisons are refused before anything is sent")
    void countsComparisons() {
        Query<Runner> query = runners.query();
        for (int i = 0; i < 15; i++) {
            query = query.where(property("age").notEqualTo(i));
        }
        Query<Runner> full = query;
        assertThat(full.limit(1).list()).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.where(property("age").notEqualTo(15)))
                .withMessageContaining("15")
                .withMessageContaining("16");
    }
}

package io.stowline.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.Stowline;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.RowPrefix;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.key.KeyFormat;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.IndexedTable;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that reach the library from requests of clients: each that it refuses has a type that a web application maps to a 400. */
class InvalidValuesTest {

    private static final String SECRET = "secret";

    private static final MemoryStorage MEMORY = MemoryStorage.create();
    private static final Stowline CLIENT = Stowline.builder()
            .connectionString(MEMORY.connectionString())
            .httpClient(MEMORY.httpClient())
            .build();

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> NAME = Index.text("NAME", Runner::name);
    private static final Index<Runner, Instant> START =
            Index.time("START", (Runner runner) -> runner.name().equals("late") ? Instant.MAX : null);
    private static final Index<Runner, LocalDate> BORN = Index.date("BORN", runner -> null);
    private static final Index<Runner, String> SHIRT =
            Index.text("SHIRT", (Runner runner) -> "s").unique();
    private static final Index<Runner, String> MAIL =
            Index.text("MAIL", (Runner runner) -> null).global();

    private static final Table<Runner> RUNNERS = CLIENT.table("runners", Runner.class);
    private static final IndexedTable<Runner> INDEXED = RUNNERS.indexed(List.of(AGE, NAME, START, BORN, SHIRT, MAIL));

    record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}

    @RowPrefix("M:")
    record Medal(@PartitionKey String race, @RowKey String key) {}

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    private static final StoredEntity<Runner> STORED = stored();

    private static StoredEntity<Runner> stored() {
        RUNNERS.create();
        INDEXED.insert(new Runner("2026", "0", "Ann", 41));
        return INDEXED.find("2026", "0").orElseThrow();
    }

    private static Arguments key(String role, Consumer<Stowline> call) {
        return Arguments.of(role, InvalidKeyException.class, call);
    }

    private static Arguments value(String role, Consumer<Stowline> call) {
        return Arguments.of(role, InvalidValueException.class, call);
    }

    private static Runner aged(int age) {
        return new Runner("2026", "1", SECRET, age);
    }

    static Stream<Arguments> indexValues() {
        return Stream.of(
                key("AGE: 1000 is out of 0 to 999", c -> INDEXED.insert(aged(1_000))),
                key("AGE: -1 ", c -> INDEXED.transaction("2026").insertOrReplace(aged(-1))),
                key("AGE: 1000 ", c -> INDEXED.transaction("2026").insert(aged(1_000))),
                key("AGE: 1000 ", c -> IndexLookup.range(AGE, "2026", 0, 1_000)),
                key("AGE: -1 ", c -> IndexLookup.range(AGE, "2026", -1, 10)),
                key("AGE: -1 ", c -> IndexLookup.rangeFrom(AGE, "2026", -1)),
                key("AGE: 1000 ", c -> INDEXED.range(AGE, "2026", 0, 1_000)),
                key("index AGE", c -> IndexLookup.range(AGE, "2026", 50, 20)),
                key("range", c -> INDEXED.range(AGE, "2026", 50, 20)),
                key("NAME", c -> IndexLookup.range(NAME, "2026", SECRET + "b", SECRET + "a")),
                key("NAME: U+D800 at position 6", c -> IndexLookup.value(NAME, "2026", SECRET + "\ud800")),
                key("NAME: 1200 ", c -> INDEXED.insert(new Runner("2026", "1", SECRET.repeat(200), 1))),
                key("SHIRT: 1200 ", c -> INDEXED.find(SHIRT, "2026", SECRET.repeat(200))),
                key("START: ", c -> IndexLookup.rangeFrom(START, "2026", Instant.MIN)),
                key("START: ", c -> INDEXED.insert(new Runner("2026", "1", "late", 1))),
                key("BORN: ", c -> IndexLookup.value(BORN, "2026", LocalDate.of(10_000, 1, 1))),
                key("RowKey: it begins with \"AGE:\"", c -> INDEXED.find("2026", "AGE:001!1")),
                key("RowKey: ", c -> INDEXED.insert(new Runner("2026", "AGE:001!" + SECRET, "a", 1))),
                key("PartitionKey: it begins with \"MAIL:\"", c -> INDEXED.find("MAIL:" + SECRET, "1")),
                key("PartitionKey: ", c -> INDEXED.page(IndexLookup.all(AGE, "MAIL:" + SECRET))),
                key("RowKey: ", c -> INDEXED.replace(STORED.with(new Runner("2026", SECRET, "a", 1)))),
                key("PartitionKey: ", c -> INDEXED.replace(STORED.with(new Runner(SECRET, "0", "a", 1)))),
                key("unique index SHIRT", c -> INDEXED.transaction("2026")
                        .insert(new Runner("2026", SECRET + "1", "a", 1))
                        .insert(new Runner("2026", SECRET + "2", "a", 1))
                        .commit()));
    }

    static Stream<Arguments> keysAndConditions() {
        return Stream.of(
                key("range of row keys", c -> RUNNERS.query().rowRange(SECRET + "b", SECRET + "a")),
                value("RowKey: the prefix is empty", c -> RUNNERS.query().rowPrefix("")),
                key("key 2", c -> RUNNERS.query().partitions(List.of(SECRET, SECRET))),
                key("no key", c -> RUNNERS.query().partitions(List.of())),
                value("comparisons", c -> RUNNERS.query()
                        .where(Filter.property("Name").in(Collections.nCopies(16, SECRET)))),
                value("no value", c -> Filter.property("Name").in(List.of())),
                value("U+D800", c -> Filter.property("Name").equalTo(SECRET + "\ud800")),
                value("NaN", c -> Filter.property("Name").equalTo(Double.NaN)),
                value("pageSize is 1 to 1000, not 5000", c -> RUNNERS.query().pageSize(5_000)),
                value("pageSize is 1", c -> IndexLookup.all(AGE, "2026").pageSize(0)),
                value("limit is at least 1", c -> RUNNERS.query().limit(0)),
                key("year: 10000 ", c -> KeyFormat.of().number("year", 4).format(10_000)),
                key("at: ", c -> KeyFormat.of().time("at").format(Instant.MAX)),
                key("id: ", c -> KeyFormat.of().random("id", 8).format(SECRET)),
                key("name: the separator", c -> KeyFormat.of().text("name").format(SECRET + "!")),
                key("name: U+D800", c -> KeyFormat.of().escaped("name").format(SECRET + "\ud800")),
                key("RowKey: it does not begin with \"M:\"", c -> c.table("medals", Medal.class)
                        .insert(new Medal("2026", SECRET))));
    }

    static Stream<Arguments> bodiesAndNames() {
        return Stream.of(
                value("property name: 40000", c -> RUNNERS.insert(new Runner("2026", "1", "x".repeat(40_000), 1))),
                value("property name: ", c -> RUNNERS.insert(new Runner("2026", "1", SECRET + "\ud800", 1))),
                key("PartitionKey: ", c -> RUNNERS.transaction("2026").insert(new Runner(SECRET, "1", "a", 1))),
                value(
                        "second for this entity",
                        c -> RUNNERS.transaction("2026").insert(aged(1)).insert(aged(2))),
                value("80000 bytes", c -> c.queue("orders").send("x".repeat(80_000))),
                key("blob name", c -> c.container("photos").info(SECRET + "/../a")),
                key("blob name", c -> c.container("photos").download("")),
                key("blob name", c -> c.container("photos").delete(SECRET.repeat(200))),
                key("blob name", c -> c.container("photos").exists(SECRET + "\ud800")),
                value("tag 'owner'", c -> c.container("photos").setTags("a", Map.of("owner", SECRET + "é"))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"indexValues", "keysAndConditions", "bodiesAndNames"})
    @DisplayName("MAP-3: a refused value names its role, keeps texts to itself and sends nothing")
    void refused(String role, Class<? extends InvalidValueException> type, Consumer<Stowline> call) {
        int before = MEMORY.requests().size();

        IllegalArgumentException refused =
                catchThrowableOfType(IllegalArgumentException.class, () -> call.accept(CLIENT));

        Throwable known = refused;
        while (known != null && !(known instanceof InvalidValueException)) {
            known = known.getCause();
        }
        assertThat(known).isInstanceOf(type).hasMessageContaining(role).hasMessageNotContaining(SECRET);
        assertThat(MEMORY.requests()).hasSize(before);
    }

    @Test
    @DisplayName("MAP-3: a page token whose place the service refuses is no token of the library")
    void refusedPlace() {
        CLIENT.table("paged").create();
        Table<Runner> paged = CLIENT.table("paged", Runner.class);
        paged.insert(new Runner("2026", "1", "a", 1));
        paged.insert(new Runner("2026", "2", "a", 1));
        Query<Runner> query = paged.query().partition("2026").pageSize(1);
        String token = query.page().nextToken().orElseThrow();
        List<Runnable> reads = List.of(() -> query.page(token), () -> query.pageStored(token), () -> paged.reactive()
                .query()
                .partition("2026")
                .pageSize(1)
                .page(token)
                .block());

        for (Runnable read : reads) {
            MEMORY.refuseNext("GET", "paged", 400, "InvalidInput");
            assertThat(catchThrowableOfType(InvalidPageTokenException.class, read::run))
                    .hasCauseInstanceOf(BadRequestException.class);
            read.run();
        }
        MEMORY.refuseNext("GET", "paged", 400, "InvalidInput");
        assertThat(catchThrowableOfType(BadRequestException.class, query::page)).isNotNull();
    }
}

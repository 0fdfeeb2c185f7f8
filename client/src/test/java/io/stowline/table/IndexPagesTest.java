package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.projection.filter.Filter;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lookups by an index, page by page. */
class IndexPagesTest {

    record Runner(@PartitionKey String race, @RowKey String id, String bib, int age, String club) {}

    private static final Index<Runner, String> BIB =
            Index.text("BIB", Runner::bib).unique();
    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> CLUB =
            Index.text("CLUB", Runner::club).global();

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final Table<Runner> table = storage.table("runners", Runner.class);
    private final IndexedTable<Runner> indexed = table.indexed(List.of(BIB, AGE, CLUB));

    @BeforeEach
    void create() {
        table.createIfMissing();
    }

    @AfterEach
    @AfterProperty
    void close() {
        storage.close();
    }

    private static Runner runner(int number, int age, String club) {
        return new Runner("race", "%03d".formatted(number), "b%03d".formatted(number), age, club);
    }

    /** Returns all pages of a lookup, each with its token. */
    private static <R> List<Query.Page<R>> pages(Function<Optional<String>, Query.Page<R>> lookup) {
        List<Query.Page<R>> pages = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            Query.Page<R> page = lookup.apply(token);
            pages.add(page);
            token = page.nextToken();
        } while (token.isPresent());
        return pages;
    }

    private List<Query.Page<Runner>> pages(IndexLookup<Runner> lookup) {
        return pages(token -> token.map(text -> indexed.page(lookup, text)).orElseGet(() -> indexed.page(lookup)));
    }

    private List<Query.Page<StoredEntity<Runner>>> stored(IndexLookup<Runner> lookup) {
        return pages(token ->
                token.map(text -> indexed.pageStored(lookup, text)).orElseGet(() -> indexed.pageStored(lookup)));
    }

    private static <R> List<R> all(List<Query.Page<R>> pages, int size) {
        for (Query.Page<R> page : pages.subList(0, pages.size() - 1)) {
            assertThat(page.values()).hasSize(size);
        }
        return pages.stream().flatMap(page -> page.values().stream()).toList();
    }

    @Property(tries = 30)
    void pagesTogetherAreTheLookup(
            @ForAll @Size(max = 40) List<@IntRange(min = 20, max = 25) Integer> ages,
            @ForAll @Size(max = 40) List<Boolean> stale,
            @ForAll @IntRange(min = 1, max = 12) int size) {
        table.createIfMissing();
        table.query().deleteAll();
        List<Runner> here = new ArrayList<>();
        for (int i = 0; i < ages.size(); i++) {
            Runner each = runner(i, ages.get(i), "swift");
            indexed.insert(each);
            if (i < stale.size() && stale.get(i)) {
                table.delete(each); // leaves all of its index rows
            } else {
                here.add(each);
            }
        }
        List<Runner> middle = here.stream()
                .filter(each -> each.age() >= 21 && each.age() < 24)
                .sorted(Comparator.comparing(Runner::age).thenComparing(Runner::id))
                .toList();

        assertThat(all(stored(IndexLookup.range(AGE, "race", 21, 24).pageSize(size)), size))
                .extracting(StoredEntity::value)
                .containsExactlyElementsOf(middle);
        assertThat(all(stored(IndexLookup.global(CLUB, "swift").pageSize(size)), size))
                .extracting(StoredEntity::value)
                .containsExactlyElementsOf(here);
        assertThat(all(pages(IndexLookup.global(CLUB, "swift").pageSize(size)), size))
                .containsExactlyElementsOf(here);
        assertThat(all(pages(IndexLookup.rangeFrom(AGE, "race", 21).pageSize(size)), size))
                .containsExactlyElementsOf(indexed.rangeFrom(AGE, "race", 21).toList());
        assertThat(all(pages(IndexLookup.all(BIB, "race").pageSize(size)), size))
                .containsExactlyElementsOf(indexed.stream(BIB, "race").toList());
        assertThat(all(pages(IndexLookup.value(AGE, "race", 22).pageSize(size)), size))
                .containsExactlyElementsOf(indexed.stream(AGE, "race", 22).toList());
    }

    @Test
    @DisplayName("E10: index rows that lead nowhere cost no request each, and end no page early")
    void staleRows() {
        try (TableWriter<Runner> writer = indexed.writer()) {
            for (int i = 0; i < 600; i++) {
                writer.insert(runner(i, 30, "swift"));
            }
        }
        table.query().partition("race").where(Filter.rowKey().lessThan("598")).deleteAll();
        int before = memory.requests().size();

        Query.Page<StoredEntity<Runner>> page =
                indexed.pageStored(IndexLookup.global(CLUB, "swift").pageSize(1));

        assertThat(page.values()).extracting(each -> each.value().id()).containsExactly("598");
        assertThat(memory.requests().subList(before, memory.requests().size()).stream()
                        .filter(request -> request.contains("CLUB")))
                .hasSizeBetween(2, 11);
        assertThat(indexed.pageStored(
                                IndexLookup.global(CLUB, "swift").pageSize(5),
                                page.nextToken().orElseThrow())
                        .values())
                .extracting(each -> each.value().id())
                .containsExactly("599");
    }

    @Test
    @DisplayName("E10: the results have the ETags with which entities are changed")
    void etags() {
        indexed.insert(runner(1, 30, "swift"));
        StoredEntity<Runner> one = indexed.pageStored(IndexLookup.value(BIB, "race", "b001"))
                .values()
                .get(0);
        indexed.replace(one.with(runner(1, 31, "swift")));
        StoredEntity<Runner> same = indexed.findStored(BIB, "race", "b001").orElseThrow();

        assertThat(same.value().age()).isEqualTo(31);
        indexed.delete(same);
        assertThat(indexed.findStored(BIB, "race", "b001")).isEmpty();
        assertThat(table.query().list()).isEmpty();
    }

    @Test
    @DisplayName("MAP-2: a copy that is not of the type is an error that names it")
    void unreadable() {
        indexed.insert(runner(1, 30, "swift"));
        storage.table("runners")
                .insertOrMerge(Entity.builder("race", "AGE:030!001")
                        .set("age", "thirty")
                        .build());

        assertThatExceptionOfType(UnreadableEntityException.class)
                .isThrownBy(() -> indexed.page(IndexLookup.all(AGE, "race")))
                .withMessageContaining("AGE:030!001");
    }

    @Test
    @DisplayName("E10: a token serves its lookup in both forms and on both faces, and no other lookup")
    void tokens() {
        for (int i = 0; i < 5; i++) {
            indexed.insert(runner(i, 30, "swift"));
        }
        IndexLookup<Runner> thirties = IndexLookup.range(AGE, "race", 30, 40).pageSize(2);
        String token = indexed.page(thirties).nextToken().orElseThrow();

        assertThat(indexed.pageStored(thirties, token).values())
                .extracting(each -> each.value().id())
                .containsExactly("002", "003");
        assertThat(indexed.reactive().page(thirties.pageSize(3), token).block())
                .isEqualTo(indexed.page(thirties.pageSize(3), token))
                .satisfies(last -> assertThat(last.nextToken()).isEmpty());
        for (IndexLookup<Runner> other : List.of(
                IndexLookup.range(AGE, "race", 30, 41),
                IndexLookup.range(AGE, "other", 30, 40),
                IndexLookup.all(BIB, "race"),
                IndexLookup.global(CLUB, "swift"))) {
            assertThatExceptionOfType(InvalidPageTokenException.class)
                    .isThrownBy(() -> indexed.page(other, token))
                    .withMessageContaining("another query");
        }
        assertThatExceptionOfType(InvalidPageTokenException.class)
                .isThrownBy(() -> indexed.pageStored(thirties, "nonsense"));
        assertThatExceptionOfType(InvalidPageTokenException.class)
                .isThrownBy(() -> table.query().page(token));
    }

    @Test
    @DisplayName("E10: a page with ETags of a query continues one without")
    void queriesHaveETagsToo() {
        for (int i = 0; i < 3; i++) {
            indexed.insert(runner(i, 30, "swift"));
        }
        Query<Runner> two = indexed.query().partition("race").pageSize(2);
        Query.Page<StoredEntity<Runner>> first = two.pageStored();

        assertThat(first.values()).allSatisfy(each -> assertThat(each.etag()).startsWith("W/"));
        assertThat(two.page(first.nextToken().orElseThrow()).values()).containsExactly(runner(2, 30, "swift"));
        assertThat(indexed.query()
                        .partition("race")
                        .pageStored(first.nextToken().orElseThrow())
                        .values())
                .hasSize(1);
    }

    @Test
    @DisplayName("T17: a verb whose index is of another kind is refused with the verb of that kind")
    void otherKind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.find(AGE, "race", 30))
                .withMessage("index AGE of table runners is local, and this lookup is for one that is unique: use range"
                        + " or rangeFrom");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.range(CLUB, "race", "a", "b"))
                .withMessageContaining("index CLUB of table runners is global")
                .withMessageEndingWith(": use global");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.global(BIB, "b001"))
                .withMessageEndingWith(": use find");
    }

    @Test
    @DisplayName("T17: a lookup that its index cannot serve is refused by name")
    void refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IndexLookup.value(CLUB, "race", "swift"))
                .withMessageContaining("CLUB")
                .withMessageContaining("global");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IndexLookup.global(AGE, 30))
                .withMessageContaining("AGE");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IndexLookup.range(AGE, "race", 40, 30))
                .withMessageContaining("AGE")
                .withMessageContaining("below");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IndexLookup.all(AGE, "race").pageSize(1_001))
                .withMessageContaining("1001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> indexed.page(IndexLookup.all(Index.text("NONE", Runner::club), "race")))
                .withMessageContaining("NONE");
        assertThat(IndexLookup.all(AGE, "a\nb")).hasToString("IndexLookup[index=AGE, partitionKey=a\\nb]");
    }
}

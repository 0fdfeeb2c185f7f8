package io.stowline.spring.boot.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.retry.Backoff;
import io.stowline.table.Query;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemStreamException;
import org.springframework.batch.infrastructure.item.ReaderNotOpenException;

/** The reader of a query: its pages, and its position after a restart. */
class TableItemReaderTest {

    private static final int ROWS = 23;

    private final MemoryStorage storage = MemoryStorage.create();
    private Stowline client;
    private Table<Row> table;

    @BeforeEach
    void fill() {
        client = Row.client(storage);
        table = Row.table(client, "source", ROWS);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static <T> List<T> rest(TableItemReader<T> reader) {
        List<T> items = new ArrayList<>();
        for (T item = reader.read(); item != null; item = reader.read()) {
            items.add(item);
        }
        return items;
    }

    private static <T> List<T> take(TableItemReader<T> reader, int count) {
        List<T> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(reader.read());
        }
        return items;
    }

    /** Returns the context as the next process finds it. */
    private static ExecutionContext after(TableItemReader<Row> reader, ExecutionContext context) {
        reader.update(context);
        reader.close();
        return new ExecutionContext(context.toMap());
    }

    @Test
    void readsEachRowOnceInPagesOfTheQuery() {
        TableItemReader<Row> reader = TableItemReader.of("rows", table.query().pageSize(10));
        reader.open(new ExecutionContext());

        assertThat(rest(reader)).isEqualTo(Row.sorted(table));
        assertThat(reader.read()).as("after the end").isNull();
        assertThat(storage.requests().stream()
                        .filter(request -> request.startsWith("GET /source") && request.contains("$top=10")))
                .hasSize(3);
    }

    @Test
    void readsNothingFromAnEmptyTable() {
        Table<Row> empty = Row.table(client, "empty", 0);
        TableItemReader<Row> reader = TableItemReader.of("rows", empty.query());
        ExecutionContext context = new ExecutionContext();
        reader.open(context);

        assertThat(reader.read()).isNull();
        reader.open(after(reader, context));
        assertThat(reader.read()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "5, 5", "5, 7", "7, 5", "10, 3", "1000, 9", "9, 1000"})
    void goesOnExactlyAtEachPosition(int pageSize, int laterPageSize) {
        List<Row> all = Row.sorted(table);
        for (int position = 0; position <= ROWS; position++) {
            ExecutionContext context = new ExecutionContext();
            TableItemReader<Row> first =
                    TableItemReader.of("rows", table.query().pageSize(pageSize));
            first.open(context);
            assertThat(take(first, position)).isEqualTo(all.subList(0, position));

            TableItemReader<Row> second =
                    TableItemReader.of("rows", table.query().pageSize(laterPageSize));
            second.open(after(first, context));

            assertThat(rest(second)).as("from " + position).isEqualTo(all.subList(position, ROWS));
        }
    }

    @Test
    void aPositionOfTheFirstRunOutlivesARestartThatCommitsNothing() {
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> first = TableItemReader.of("rows", table.query().pageSize(5));
        first.open(context);
        take(first, 12);

        TableItemReader<Row> second = TableItemReader.of("rows", table.query().pageSize(5));
        ExecutionContext kept = after(first, context);
        second.open(kept);
        TableItemReader<Row> third = TableItemReader.of("rows", table.query().pageSize(5));
        third.open(after(second, kept));

        assertThat(rest(third)).hasSize(ROWS - 12);
    }

    @Test
    void commitsBetweenPagesBearRowsThatAreRemovedAndAdded() {
        List<Row> all = Row.sorted(table);
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> first = TableItemReader.of("rows", table.query().pageSize(5));
        first.open(context);
        take(first, 10).forEach(table::delete);
        ExecutionContext kept = after(first, context);
        table.insert(new Row("p0", "0", -1));
        table.insert(new Row("p9", "0", 99));

        TableItemReader<Row> second = TableItemReader.of("rows", table.query().pageSize(5));
        second.open(kept);

        List<Row> expected = new ArrayList<>(all.subList(10, ROWS));
        expected.add(new Row("p9", "0", 99));
        assertThat(rest(second)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "27, 10", "5, 10", "9, 3"})
    @DisplayName("a run that has read its last row is at its end, whatever is inserted or removed since")
    void theEndIsNoNumberOfRows(int rows, int chunk) {
        Table<Row> changing = Row.table(client, "changing", rows);
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> first = TableItemReader.of("rows", changing.query().pageSize(chunk));
        first.open(context);
        take(first, rows).forEach(changing::delete);
        ExecutionContext kept = after(first, context);
        for (int i = 0; i < 12; i++) {
            changing.insert(new Row("p9", "" + (char) ('a' + i), 100 + i));
        }

        TableItemReader<Row> second =
                TableItemReader.of("rows", changing.query().pageSize(chunk));
        second.open(kept);
        assertThat(rest(second)).isEmpty();
        TableItemReader<Row> third = TableItemReader.of("rows", changing.query().pageSize(chunk));
        third.open(after(second, kept));
        assertThat(rest(third)).isEmpty();
    }

    @Test
    void refusesThePositionOfAnotherQuery() {
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> first = TableItemReader.of("rows", table.query().pageSize(5));
        first.open(context);
        take(first, 7);

        TableItemReader<Row> other =
                TableItemReader.of("rows", table.query().partition("p1").pageSize(5));
        ExecutionContext kept = after(first, context);
        assertThatExceptionOfType(ItemStreamException.class)
                .isThrownBy(() -> other.open(kept))
                .withMessage("The reader 'rows' cannot go on at the position that the execution context has under"
                        + " 'rows.page.token': the page token belongs to another query: table and conditions must"
                        + " be the same. Restart the job with the query of its earlier run, or start a new"
                        + " instance of the job.");
    }

    @Test
    @DisplayName("a position in the first page, too, belongs to its query")
    void refusesThePositionOfAnotherQueryInItsFirstPage() {
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> first = TableItemReader.of("rows", table.query().pageSize(5));
        first.open(context);
        take(first, 2);
        ExecutionContext kept = after(first, context);

        Table<Row> further = Row.table(client, "further", ROWS);
        for (Query<Row> other : List.of(table.query().partition("p1"), further.query())) {
            TableItemReader<Row> restarted = TableItemReader.of("rows", other.pageSize(5));
            assertThatExceptionOfType(ItemStreamException.class)
                    .isThrownBy(() -> restarted.open(kept))
                    .withMessageContaining("'rows.page.next': the page token belongs to another query");
        }
        TableItemReader<Row> second = TableItemReader.of("rows", table.query().pageSize(5));
        second.open(kept);
        assertThat(rest(second)).hasSize(ROWS - 2);
    }

    @Test
    void beginsAgainWithoutState() {
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> reader = TableItemReader.of("rows", table.query().pageSize(5));
        reader.setSaveState(false);
        reader.open(context);
        take(reader, 7);
        reader.update(context);

        assertThat(context.isEmpty()).isTrue();
        reader.open(context);
        assertThat(rest(reader)).hasSize(ROWS);
    }

    @Test
    void readersOfOneStepKeepTheirPositionsApart() {
        Table<Row> further = Row.table(client, "further", 4);
        ExecutionContext context = new ExecutionContext();
        TableItemReader<Row> one = TableItemReader.of("one", table.query().pageSize(2));
        TableItemReader<Row> two = TableItemReader.of("two", further.query().pageSize(2));
        one.open(context);
        two.open(context);
        take(one, 5);
        take(two, 1);
        one.update(context);
        two.update(context);
        one.open(context);
        two.open(context);

        assertThat(rest(one)).hasSize(ROWS - 5);
        assertThat(rest(two)).hasSize(3);
    }

    @Test
    void readsVersionsForConditionalWrites() {
        TableItemReader<StoredEntity<Row>> reader =
                TableItemReader.stored("rows", table.query().pageSize(5));
        reader.open(new ExecutionContext());

        List<StoredEntity<Row>> stored = rest(reader);
        assertThat(stored).extracting(StoredEntity::value).isEqualTo(Row.sorted(table));
        table.delete(stored.get(0));
    }

    @Test
    void aFailedPageCanBeReadAgain() {
        Query<Row> query = table.withRetry(retry -> retry.retries(0)).query().pageSize(5);
        TableItemReader<Row> reader = TableItemReader.of("rows", query);
        reader.open(new ExecutionContext());
        List<Row> items = take(reader, 5);
        storage.refuseNext("GET", "/source", 500, "InternalError");

        assertThatExceptionOfType(ServerErrorException.class).isThrownBy(reader::read);
        items.addAll(rest(reader));
        assertThat(items).isEqualTo(Row.sorted(table));
    }

    @Test
    void aLostResponseOfAPageSkipsNothing() {
        Query<Row> query = table.withRetry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10))))
                .query()
                .pageSize(5);
        TableItemReader<Row> reader = TableItemReader.of("rows", query);
        reader.open(new ExecutionContext());
        storage.loseNextResponse("GET", "/source");
        storage.loseNextResponse("GET", "/source");

        assertThat(rest(reader)).isEqualTo(Row.sorted(table));
    }

    @Test
    void refusesWhatHasNoPagesAndReadsBeforeItIsOpen() {
        TableItemReader<Row> limited = TableItemReader.of("rows", table.query().limit(5));
        assertThatIllegalStateException().isThrownBy(() -> limited.open(new ExecutionContext()));

        TableItemReader<Row> closed = TableItemReader.of("rows", table.query());
        closed.open(new ExecutionContext());
        closed.close();
        assertThatExceptionOfType(ReaderNotOpenException.class)
                .isThrownBy(closed::read)
                .withMessage("The reader 'rows' is not open. Register it as a stream of its step.");
        closed.update(new ExecutionContext());
    }

    @Test
    void aMissingTableFailsTheOpening() {
        TableItemReader<Row> reader = TableItemReader.of(
                "rows",
                client.table("missing", Row.class)
                        .withRetry(retry -> retry.deadline(Duration.ofSeconds(5)))
                        .query());

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> reader.open(new ExecutionContext()))
                .withMessageContaining("missing");
    }
}

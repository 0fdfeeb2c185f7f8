package io.stowline.spring.boot.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.retry.Backoff;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.batch.infrastructure.item.Chunk;
import org.springframework.batch.infrastructure.item.WriteFailedException;

/** The writer of chunks: what is on the wire, what it waits for and which failures it throws. */
class TableItemWriterTest {

    private final MemoryStorage storage = MemoryStorage.create();
    private Stowline client;
    private Table<Row> table;

    @BeforeEach
    void open() {
        client = Row.client(storage);
        table = Row.table(client, "target", 0);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static Chunk<Row> rows(int from, int to) {
        return new Chunk<>(IntStream.range(from, to).mapToObj(Row::of).toList());
    }

    private long writes() {
        return storage.requests().stream()
                .filter(request -> !request.startsWith("GET"))
                .count();
    }

    private List<String> batches() {
        return storage.requests().stream()
                .filter(request -> request.contains("$batch"))
                .toList();
    }

    @Test
    void writesAChunkByOneTransactionOfEachPartitionBeforeItReturns() throws Exception {
        long before = writes();
        TableItemWriter.of(table).write(rows(0, 90));

        assertThat(table.query().list()).hasSize(90);
        assertThat(batches()).hasSize(3);
        assertThat(writes() - before).isEqualTo(3);
    }

    @Test
    void writesALargeChunkByFullTransactions() throws Exception {
        TableItemWriter.of(table).write(rows(0, 900));

        assertThat(table.query().list()).hasSize(900);
        assertThat(batches()).hasSize(9);
    }

    @Test
    void writesTheRowsOfAnIndex() throws Exception {
        Index<Row, Integer> byNumber = Index.number("NUMBER", 5, Row::number);
        IndexedTable<Row> indexed = table.indexed(byNumber);
        TableItemWriter.<Row, Row>of(indexed, TableWriter::insertOrReplace).write(rows(0, 9));

        assertThat(indexed.range(byNumber, "p1", 7, 8).toList()).containsExactly(Row.of(7));
    }

    @Test
    void replacesMergesAndWritesVersions() throws Exception {
        TableItemWriter.of(table).write(rows(0, 3));
        TableItemWriter.of(table).write(rows(0, 3));
        TableItemWriter<Row> merging = TableItemWriter.of(table, TableWriter::insertOrMerge);
        merging.write(rows(0, 4));
        assertThat(table.query().list()).hasSize(4);

        List<StoredEntity<Row>> read = table.query().streamStored().toList();
        TableItemWriter<StoredEntity<Row>> versions = TableItemWriter.of(table, TableWriter::replace);
        versions.write(new Chunk<>(read));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .as("the version has changed")
                .isThrownBy(() -> versions.write(new Chunk<>(read.subList(0, 1))));
    }

    @Test
    void aDeletionBearsToBeRepeated() throws Exception {
        TableItemWriter.of(table).write(rows(0, 9));
        TableItemWriter<Row> deleting = TableItemWriter.deleting(table);
        deleting.write(rows(0, 5));
        deleting.write(rows(0, 9));
        assertThat(table.query().list()).isEmpty();

        table.drop();
        assertThatExceptionOfType(NotFoundException.class)
                .as("the table is missing")
                .isThrownBy(() -> deleting.write(rows(0, 1)));
    }

    @Test
    void oneFailureIsThrownAsItIsAndTheOtherRowsAreWritten() throws Exception {
        table.insert(Row.of(4));
        TableItemWriter<Row> inserting = TableItemWriter.of(table, TableWriter::insert);

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> inserting.write(rows(0, 9)))
                .withMessageContaining("p1")
                .withMessageContaining("00004");
        assertThat(table.query().list()).hasSize(9);
        inserting.write(rows(9, 10));
    }

    @Test
    void severalFailuresNameTheFirstKeys() throws Exception {
        TableItemWriter<Row> inserting = TableItemWriter.of(table, TableWriter::insert);
        inserting.write(rows(0, 7));

        assertThatExceptionOfType(WriteFailedException.class)
                .isThrownBy(() -> inserting.write(rows(0, 20)))
                .withMessageStartingWith("7 of 20 items are not written: ")
                .withMessageContaining("00004")
                .withMessageEndingWith("; and 2 more")
                .withCauseInstanceOf(ConflictException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(4));
        assertThat(table.query().list()).hasSize(20);
    }

    @Test
    void anItemThatTheWriterRefusesEndsTheChunkAndHidesNoFailure() throws Exception {
        Chunk<Row> chunk = new Chunk<>(List.of(Row.of(0), new Row("a/b", "1", 1), Row.of(2)));
        TableItemWriter<Row> replacing = TableItemWriter.of(table);

        assertThatIllegalArgumentException().isThrownBy(() -> replacing.write(chunk));
        assertThat(table.query().list()).containsExactly(Row.of(0));
        replacing.write(rows(0, 3));
        assertThat(table.query().list()).hasSize(3);
    }

    @Test
    void lostResponsesAreSettledByTheWriter() throws Exception {
        storage.loseNextResponse("POST", "$batch");
        storage.loseNextResponse("POST", "$batch");
        TableItemWriter.of(table.withRetry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10)))))
                .write(rows(0, 60));

        assertThat(table.query().list()).hasSize(60);
        assertThat(batches())
                .as("three transactions, and two that are sent again")
                .hasSize(5);
    }

    @Test
    void anInterruptEndsTheWaitAndTheWriterWorksOn() throws Exception {
        TableItemWriter<Row> replacing = TableItemWriter.of(table);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(() -> replacing.write(rows(0, 3)));
        assertThat(Thread.interrupted()).isTrue();
        replacing.write(rows(0, 3));
        assertThat(table.query().list()).hasSize(3);
    }

    @Test
    void anEmptyChunkSendsNothing() throws Exception {
        long before = writes();
        TableItemWriter.of(table).write(new Chunk<>());

        assertThat(writes()).isEqualTo(before);
    }
}

package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.TableWriter.WriteProgress;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers of every kind of writer, while it works and after it has ended. */
class WriterProgressTest {

    record Line(@PartitionKey String page, @RowKey String row, int words) {}

    private static final Index<Line, Integer> WORDS = Index.number("WORDS", 3, Line::words);

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final Table<Line> table = storage.table("lines", Line.class);

    @BeforeEach
    void create() {
        table.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private static void goesOn(TableWriter<Line> writer) {
        assertThat(writer.progress()).isEqualTo(new WriteProgress(0, 0, 0, 0, 0));
        writer.insert(new Line("p", "1", 10));
        writer.insert(new Line("p", "2", 20));
        writer.insert(new Line("p", "1", 30));
        writer.flush();
        assertThat(writer.progress()).isEqualTo(new WriteProgress(3, 2, 1, 0, 0));
        assertThat(writer.reactive().progress()).isEqualTo(writer.progress());
        assertThat(writer.failingFast().progress()).isEqualTo(writer.progress());
        writer.takeFailures();
        writer.close();
        assertThat(writer.progress()).isEqualTo(new WriteProgress(3, 2, 1, 0, 0));
    }

    @Test
    @DisplayName("BATCH-15: a writer of a table shows its accepted, applied and failed operations")
    void ofTheTable() {
        goesOn(table.writer());
    }

    @Test
    @DisplayName("BATCH-15: a writer with indexes counts the application's operations, and no index rows")
    void withIndexes() {
        goesOn(table.indexed(WORDS).writer());
    }

    @Test
    @DisplayName("BATCH-15: a writer with a journal shows the same numbers")
    void journaled(@TempDir Path folder) {
        try (Journal journal = Journal.open(folder)) {
            goesOn(table.writer(WriterJournal.of(journal), w -> w));
        }
    }

    @Test
    @DisplayName("BATCH-10: an operation that waits is buffered; once it is cancelled it is accepted only")
    void waiting() {
        TableWriter<Line> writer = table.writer(w -> w.linger(Duration.ofHours(1)));
        Submission<?> waiting = writer.insert(new Line("p", "1", 10));
        WriteProgress before = writer.progress();
        assertThat(before.buffered()).isOne();
        assertThat(before.bufferedBytes()).isPositive().isEqualTo(writer.bufferedBytes());

        waiting.cancel();

        assertThat(writer.progress()).isEqualTo(new WriteProgress(1, 0, 0, 0, 0));
        writer.close();
    }
}

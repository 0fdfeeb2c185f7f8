package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.Journal;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.table.internal.writer.JournaledService;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** The handling of a record whose own code throws an error that is fatal to Reactor, which signals no subscriber. */
@Timeout(60)
class ThrowingRecordTest {

    /** A record whose text comes from code that may be missing. */
    record Note(@PartitionKey String book, @RowKey String page, String text) {
        @Override
        public String text() {
            if (text.equals("odd")) {
                throw new NoClassDefFoundError("missing");
            }
            return text;
        }
    }

    @TempDir
    Path folder;

    private final JournaledService service = new JournaledService();
    private final Table<Note> notes = service.table().as(Note.class);

    private static Note note(String text) {
        return new Note("p", text, text);
    }

    private void showResults(TableWriter<Note> writer) {
        CompletableFuture<List<ItemResult<String, WriteResult>>> all = writer.reactive()
                .write(Flux.just("a", "odd", "b")
                        .map(text -> TableOperation.insert(note(text)).with(text)))
                .collectList()
                .toFuture();
        while (!all.isDone()) {
            service.pass(Duration.ofMillis(10));
        }
        List<ItemResult<String, WriteResult>> results = all.join();
        assertThat(results).extracting(ItemResult::item).containsExactlyInAnyOrder("a", "odd", "b");
        assertThat(results.stream().filter(each -> !each.succeeded()))
                .extracting(ItemResult::item)
                .containsExactly("odd");
        List<Throwable> failures = new ArrayList<>();
        writer.reactive().insert(note("odd")).subscribe(written -> {}, failures::add);
        assertThat(failures).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-1 BATCH-12: an error of the application's code is the result of its own operation in a stream")
    void isAResult() {
        showResults(notes.writer());
    }

    @Test
    @DisplayName(
            "BATCH-1 BATCH-12: with a journal, too, an error of the application's code is the result of its operation")
    void isAResultWithAJournal() {
        try (Journal journal = Journal.open(folder)) {
            showResults(notes.writer(WriterJournal.of(journal), w -> w));
            assertThat(journal.outstandingRecords()).isZero();
        }
    }
}

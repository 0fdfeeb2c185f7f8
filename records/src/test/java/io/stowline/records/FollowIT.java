package io.stowline.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.journal.Journal;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader that follows writers of append blobs in the emulator. */
@AzuriteTest
@Timeout(120)
class FollowIT {

    private static final int RECORDS = 2_000;

    @TempDir
    private Path folder;

    private static RecordWriterSettings.Builder soon(RecordWriterSettings.Builder with) {
        return with.every(Duration.ofSeconds(1)).appendBlobs(append -> append.linger(Duration.ofMillis(20)));
    }

    private static RecordReadSettings.Builder<String> often(RecordReadSettings.Builder<String> with) {
        return with.lateness(Duration.ofMinutes(10)).polls(Duration.ofMillis(10), Duration.ofMillis(100));
    }

    private static BlobContainer container(Stowline storage) {
        BlobContainer container = storage.container("f" + UUID.randomUUID());
        container.create();
        return container;
    }

    private static List<String> records(String writer, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> writer + " " + i).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "RECORD-3: records come while they are written, each once and in the order of their writer, across intervals")
    @SuppressWarnings("try") // a reader closes its stream
    void whileTheyAreWritten(boolean gzip, TestStorage account) throws Exception {
        RecordFormat<String> format = gzip ? RecordFormat.lines().gzip() : RecordFormat.lines();
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            RecordBlobs blobs = RecordBlobs.in(container(storage), "live/");
            List<String> read = new ArrayList<>();
            try (RecordStream<String> live =
                    blobs.follow(format, RecordPosition.at(Instant.now().minusSeconds(5)), FollowIT::often)) {
                CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> live.forEach(record -> {
                    read.add(record);
                    if (read.size() == 2 * RECORDS) {
                        live.close();
                    }
                }));
                try (RecordWriter<String> one = blobs.writer(format, FollowIT::soon);
                        RecordWriter<String> other = blobs.writer(format, FollowIT::soon)) {
                    for (int i = 0; i < RECORDS; i++) {
                        one.write("one " + i);
                        other.write("other " + i);
                        if (i % 100 == 0) {
                            one.flush();
                        }
                    }
                }
                reading.get(60, TimeUnit.SECONDS);
            }

            assertThat(read.stream().filter(record -> record.startsWith("one ")))
                    .isEqualTo(records("one", 0, RECORDS));
            assertThat(read.stream().filter(record -> record.startsWith("other ")))
                    .isEqualTo(records("other", 0, RECORDS));
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: a writer whose client is gone is followed by one of the same journal, with all that it had accepted")
    @SuppressWarnings("try") // the first client goes before its writer
    void goesOnWithTheJournal(TestStorage account) {
        RecordFormat<String> format = RecordFormat.lines();
        try (Stowline first = Stowline.connect(account.connectionString());
                Stowline storage = Stowline.connect(account.connectionString())) {
            BlobContainer container = container(storage);
            RecordBlobs blobs = RecordBlobs.in(container, "live/");
            try (Journal journal = Journal.open(folder)) {
                RecordWriter<String> writer = RecordBlobs.in(first.container(container.name()), "live/")
                        .writer(format, with -> soon(with.journal(journal)).closeTimeout(Duration.ofMillis(1)));
                writer.write("one 0");
                writer.flush();
                first.close();
                for (int i = 1; i < 50; i++) {
                    writer.write("one " + i);
                }
                closeQuietly(writer);
            }
            try (Journal journal = Journal.open(folder);
                    RecordWriter<String> writer = blobs.writer(format, with -> soon(with.journal(journal)))) {
                writer.awaitReplay();
                writer.write("two 0");
            }

            try (RecordStream<String> all = blobs.readAfter(format, RecordPosition.first())) {
                List<String> read = all.stream().toList();
                assertThat(read.stream().filter(record -> record.startsWith("one ")))
                        .isEqualTo(records("one", 0, 50));
                assertThat(read).contains("two 0").hasSize(51);
            }
        }
    }

    private static void closeQuietly(RecordWriter<String> writer) {
        try {
            writer.close();
        } catch (RuntimeException leftInTheJournal) {
            assertThat(leftInTheJournal).isNotNull();
        }
    }
}

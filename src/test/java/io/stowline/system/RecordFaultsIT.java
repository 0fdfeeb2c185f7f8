package io.stowline.system;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.error.NotFoundException;
import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordStream;
import io.stowline.records.RecordWriter;
import io.stowline.records.RecordWriterSettings;
import io.stowline.table.FlushReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in blobs whose container, disk or folder fails while they are written. */
@Timeout(120)
class RecordFaultsIT extends StorageTest {

    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final RecordFormat<String> FORMAT = RecordFormat.lines();

    private final String name = "r" + UUID.randomUUID().toString().replace("-", "");
    private final Instant from = Instant.now().minusSeconds(60);
    private final List<String> accepted = new ArrayList<>();
    private BlobContainer container;

    @TempDir
    Path folder;

    @BeforeEach
    void make() {
        container = storage.container(name);
        container.create();
    }

    @AfterEach
    void remove() {
        container.dropIfExists();
    }

    private RecordWriter<String> writer(Journal journal, String target) {
        return RecordBlobs.in(container, RecordProcess.PREFIX)
                .writer(FORMAT, settings -> target(settings.journal(journal).upTo(64 << 10), target));
    }

    private static RecordWriterSettings.Builder target(RecordWriterSettings.Builder settings, String target) {
        return target.equals("append")
                ? settings.appendBlobs(append -> append.linger(Duration.ofMillis(100)))
                : settings;
    }

    private void write(RecordWriter<String> writer, int records) {
        for (int i = 0; i < records; i++) {
            String record = RecordProcess.content(0, 0, accepted.size());
            writer.write(record);
            accepted.add(record);
        }
    }

    private List<String> stored() {
        try (RecordStream<String> records = RecordBlobs.in(container, RecordProcess.PREFIX)
                .read(FORMAT, from, Instant.now().plusSeconds(60))) {
            List<String> stored = new ArrayList<>();
            records.forEach(stored::add);
            return stored;
        }
    }

    private static void awaitPause(RecordWriter<String> writer) throws InterruptedException {
        long deadline = System.nanoTime() + GUARD.toNanos();
        while (writer.pausedBy().isEmpty()) {
            assertThat(System.nanoTime()).as("the writer is not paused").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: a second process on the folder of a journal is refused, and gets it after the end of the first one")
    void twoProcesses() throws Exception {
        Path journal = folder.resolve("journal");
        Process process = ForkedJvm.of(
                        RecordProcess.class,
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        connectionString(),
                        name,
                        "block",
                        journal.toString(),
                        "0",
                        String.valueOf(Integer.MAX_VALUE))
                .redirectError(folder.resolve("log").toFile())
                .start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
            assertThat(lines.readLine()).startsWith("A ");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> Journal.open(journal))
                    .withMessageContaining(journal.toString())
                    .withMessageContaining("in use");
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        try (Journal free = Journal.open(journal);
                RecordWriter<String> writer = writer(free, "block")) {
            FlushReport replay = writer.awaitReplay();
            assertThat(replay.failed()).isZero();
            assertThat(free.rejectedRecords()).isZero();
        }
        assertThat(stored()).isNotEmpty().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "append"})
    @DisplayName(
            "RECORD-1: a writer whose container is deleted is paused, says why, and goes on once the container is there")
    void deletedContainer(String target) throws InterruptedException {
        try (Journal journal = Journal.open(folder.resolve("journal"));
                RecordWriter<String> writer = writer(journal, target)) {
            write(writer, 200);
            assertThat(writer.flush().failed()).isZero();
            assertThat(stored()).isEqualTo(accepted);

            container.drop();
            accepted.clear();
            write(writer, 500);
            awaitPause(writer);
            assertThat(writer.pausedBy()).containsInstanceOf(NotFoundException.class);
            write(writer, 100);
            assertThat(writer.progress().buffered()).isEqualTo(600);

            container.create();
            assertThat(writer.flush()).isEqualTo(new FlushReport(600, 0));
            assertThat(writer.pausedBy()).isEmpty();
            assertThat(writer.progress().failed()).isZero();
            assertThat(writer.progress().buffered()).isZero();
        }
        assertThat(stored()).isEqualTo(accepted);
    }

    @Test
    @DisplayName(
            "RECORD-1: a full disk refuses records, each record that it accepted is stored, and it takes records again")
    @SuppressWarnings("try") // the disk is unmounted
    void fullDisk() throws Exception {
        int refused = 0;
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "4m")) {
            try (Journal journal = Journal.open(folder.resolve("disk").resolve("journal"));
                    RecordWriter<String> writer = writer(journal, "block")) {
                container.drop();
                while (refused < 100) {
                    try {
                        write(writer, 1);
                    } catch (JournalException full) {
                        refused++;
                    }
                }
                assertThat(accepted).hasSizeBetween(1_000, 4_096);
                assertThat(writer.progress().accepted()).isEqualTo(accepted.size());

                container.create();
                writer.flush();
                write(writer, 1_000);
                assertThat(writer.flush().failed()).isZero();
                assertThat(writer.progress().written()).isEqualTo(accepted.size());
            }
        }
        assertThat(stored()).isEqualTo(accepted);
    }

    @Test
    @DisplayName("RECORD-1: a journal on a disk that its chunks have filled is opened again, and they leave it")
    @SuppressWarnings("try") // the disk is unmounted
    void fullDiskAfterARestart() throws Exception {
        Path journals = folder.resolve("disk").resolve("journal");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "4m")) {
            container.drop();
            try (Journal journal = Journal.open(journals);
                    RecordWriter<String> writer = RecordBlobs.in(container, RecordProcess.PREFIX)
                            .writer(
                                    FORMAT,
                                    with -> with.journal(journal).upTo(64 << 10).closeTimeout(Duration.ofMillis(1)))) {
                int refused = 0;
                while (refused < 100) {
                    try {
                        write(writer, 1);
                    } catch (JournalException full) {
                        refused++;
                    }
                }
            }
            fill(folder.resolve("disk").resolve("filler"));

            container.create();
            try (Journal journal = Journal.open(journals);
                    RecordWriter<String> writer = writer(journal, "block")) {
                assertThat(writer.awaitReplay()).isEqualTo(new FlushReport(accepted.size(), 0));
                write(writer, 100);
            }
        }
        assertThat(stored()).containsExactlyInAnyOrderElementsOf(accepted);
    }

    /** Takes what is left of a disk. */
    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[512]);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("space");
        }
    }

    @Test
    @DisplayName("RECORD-1: a folder on a disk that cannot be written is refused with its name")
    @SuppressWarnings("try") // the disk is unmounted
    void readOnlyFolder() throws Exception {
        Path journal = folder.resolve("disk").resolve("journal");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "4m")) {
            Journal.open(journal).close();
            disk.readOnly();

            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> Journal.open(journal))
                    .withMessageContaining(journal.toString());
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> Journal.open(folder.resolve("disk").resolve("other")))
                    .withMessageContaining(
                            folder.resolve("disk").resolve("other").toString());
        }
    }
}

package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names in a journal's folder are forced to the disk before anything relies on them. */
class ForcedNamesTest {

    private static final long ROTATE_AT = 50_000;

    @TempDir
    Path temporary;

    private final WatchedDisk disk = new WatchedDisk();
    private Path folder;

    @BeforeEach
    void watch() {
        folder = disk.watch(temporary.resolve("journal"));
    }

    private RecordJournal open(Durability durability) {
        JournalSettings settings = JournalSettings.builder()
                .fsync(durability == Durability.MACHINE)
                .build();
        return RecordJournal.open(folder, settings, "", ROTATE_AT);
    }

    @Test
    @DisplayName("BATCH-15: a new file of records has its name on disk before the journal takes the first record")
    void forcesTheFirstFile() {
        open(Durability.MACHINE).close();
        assertThat(disk.events).containsSubsequence("create records.1.mv", "force journal");
    }

    @Test
    @DisplayName("BATCH-15: a new folder has its name on disk, and so have the folders that were made for it")
    void forcesTheFoldersName() {
        folder = disk.watch(temporary.resolve("new").resolve("newer").resolve("journal"));
        open(Durability.MACHINE).close();
        assertThat(disk.events)
                .containsSubsequence("create journal", "force newer", "force new", "force " + temporary.getFileName());
        disk.events.clear();
        open(Durability.MACHINE).close();
        assertThat(disk.events).doesNotContain("force newer", "force new");
    }

    @Test
    @DisplayName("BATCH-15: at a restart the old file is deleted only when the name of the new one is on disk")
    void forcesBeforeItDeletes() {
        try (RecordJournal journal = open(Durability.MACHINE)) {
            Folders.append(journal, "kept");
        }
        disk.events.clear();
        try (RecordJournal journal = open(Durability.MACHINE)) {
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
            assertThat(disk.events).containsSubsequence("create records.2.mv", "force journal", "delete records.1.mv");
        }
    }

    @Test
    @DisplayName("BATCH-15: a damaged file is moved away only when the name of the one after it is on disk")
    void forcesBeforeItMoves() throws IOException {
        try (RecordJournal journal = open(Durability.MACHINE)) {
            Folders.append(journal, "kept");
            Folders.append(journal, "x".repeat(1_000));
        }
        Path file = temporary.resolve("journal/records.1.mv");
        byte[] bytes = Files.readAllBytes(file);
        bytes[new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("x".repeat(100))] = 'y';
        Files.write(file, bytes);
        disk.events.clear();
        try (RecordJournal journal = open(Durability.MACHINE)) {
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
            assertThat(journal.recoveryWarnings()).isNotEmpty();
            assertThat(disk.events)
                    .containsSubsequence("create records.2.mv", "force journal", "move records.1.mv.damaged");
        }
    }

    @Test
    @DisplayName("BATCH-15: each rotation forces the new name before the old file goes")
    void forcesEachRotation() {
        try (RecordJournal journal = open(Durability.MACHINE)) {
            for (int i = 0; i < 100; i++) {
                journal.complete(Folders.append(journal, "x".repeat(4_000)));
            }
        }
        List<String> files = disk.events.stream()
                .filter(event -> event.matches("(create|delete) records.*|force journal"))
                .toList();
        assertThat(files).hasSizeGreaterThan(6);
        for (int i = 0; i < files.size(); i++) {
            if (files.get(i).startsWith("delete")) {
                assertThat(files.get(i - 1)).isEqualTo("force journal");
                assertThat(files.get(i - 2)).startsWith("create records.");
            }
        }
    }

    @Test
    @DisplayName("BATCH-15: a journal that need not outlive the machine forces nothing")
    void forcesNothingForAProcess() {
        open(Durability.PROCESS).close();
        assertThat(disk.events).contains("create records.1.mv").noneMatch(event -> event.startsWith("force"));
    }
}

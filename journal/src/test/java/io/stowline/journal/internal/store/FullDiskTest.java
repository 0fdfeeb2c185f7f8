package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {

    @TempDir
    Path folder;

    private RecordJournal open() {
        return RecordJournal.open(folder, JournalSettings.builder().build(), FullDisk.prefix(), 50_000);
    }

    @AfterEach
    void makeRoom() {
        FullDisk.BROKEN.set(null);
        FullDisk.FULL.set(false);
    }

    @Test
    @DisplayName("BATCH-15: a full disk fails the append and nothing else; with room again it goes on")
    void goesOnWhenThereIsRoomAgain() {
        try (RecordJournal journal = open()) {
            long kept = Folders.append(journal, "before");
            FullDisk.FULL.set(true);
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Long> refused = journal.append(new byte[5_000]);
                assertThatExceptionOfType(CompletionException.class)
                        .isThrownBy(refused::join)
                        .withCauseInstanceOf(JournalException.class)
                        .withMessageContaining("cannot be written");
            }
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            FullDisk.FULL.set(false);
            Folders.append(journal, "after");
            assertThat(Folders.contents(journal)).containsEntry(kept, "before");
            assertThat(Folders.contents(journal).values()).containsExactly("before", "after");
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: what was accepted before the disk was full is there after a restart, what was refused is not")
    void losesNothingThatWasAccepted() {
        try (RecordJournal journal = open()) {
            journal.complete(Folders.append(journal, "done"));
            Folders.append(journal, "before");
            FullDisk.FULL.set(true);
            CompletableFuture<Long> refused = journal.append("refused".getBytes(StandardCharsets.UTF_8));
            assertThat(refused).failsWithin(Duration.ofSeconds(30));
            FullDisk.FULL.set(false);
            Folders.append(journal, "after");
        }
        try (RecordJournal journal = open()) {
            assertThat(Folders.contents(journal).values()).containsExactly("before", "after");
        }
    }

    @Test
    @DisplayName(
            "RECORD-2: a journal on a full disk opens in the room of its reserve, so that what fills it can be sent")
    void opensWhereItIsFull() throws IOException {
        Path reserve = folder.resolve("spool.reserve");
        try (RecordJournal journal = open()) {
            Folders.append(journal, "before");
            journal.spool().create(new byte[] {1}).write(new byte[] {2});
        }
        FullDisk.BROKEN.set(() -> FullDisk.FULL.set(Files.exists(reserve)));
        assertThat(reserve).exists();
        try (RecordJournal journal = open()) {
            assertThat(reserve).exists();
            makeRoom();
            assertThat(Folders.contents(journal).values()).containsExactly("before");
        }
        Files.deleteIfExists(reserve);
        FullDisk.FULL.set(true);
        assertThatExceptionOfType(JournalException.class)
                .isThrownBy(this::open)
                .withMessageContaining("nothing in it was changed");
    }

    @Test
    @DisplayName("BATCH-15: commits that a full disk refuses leave no files behind")
    void leavesNoFilesBehind() throws IOException {
        try (RecordJournal journal = open()) {
            Folders.append(journal, "before");
            FullDisk.FULL.set(true);
            for (int i = 0; i < 20; i++) {
                assertThat(journal.append(new byte[5_000])).failsWithin(Duration.ofSeconds(30));
            }
            try (var files = Files.list(folder)) {
                assertThat(files.filter(file -> file.toString().endsWith(".mv")))
                        .hasSize(1);
            }
            FullDisk.FULL.set(false);
            Folders.append(journal, "after");
            assertThat(Folders.contents(journal).values()).containsExactly("before", "after");
        }
    }

    @Test
    @DisplayName("BATCH-15: the folder stays bounded while records come and go")
    void staysBounded() throws IOException {
        try (RecordJournal journal = open()) {
            Folders.append(journal, "kept");
            for (int i = 0; i < 200; i++) {
                journal.complete(Folders.append(journal, "x".repeat(4_000)));
            }
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
            assertThat(Folders.size(folder)).isLessThan(400_000);
        }
    }
}

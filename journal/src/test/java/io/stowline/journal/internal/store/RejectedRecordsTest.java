package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectedRecordsTest {

    @TempDir
    Path folder;

    @AfterEach
    void makeRoom() {
        FullDisk.FULL.set(false);
    }

    private static String text(RejectedRecord rejected) {
        return new String(rejected.record(), StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("BATCH-15: what was refused for good is not outstanding any more, and can be read with its reason")
    void isKeptApart() {
        long id;
        try (RecordJournal journal = RecordJournal.open(folder)) {
            id = Folders.append(journal, "refused");
            Folders.append(journal, "kept");

            assertThat(journal.reject(id, "409 EntityAlreadyExists")).succeedsWithin(Duration.ofSeconds(30));

            assertThat(Folders.contents(journal).values()).containsExactly("kept");
        }
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
            assertThat(journal.rejectedRecords()).isEqualTo(1);
            RejectedRecord rejected = journal.rejected().get(0);
            assertThat(rejected.id()).isEqualTo(id);
            assertThat(rejected.reason()).isEqualTo("409 EntityAlreadyExists");
            assertThat(text(rejected)).isEqualTo("refused");
            assertThat(rejected.toString()).doesNotContain("refused,").contains("7 bytes");

            journal.discardRejected(id);

            assertThat(journal.rejected()).isEmpty();
        }
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(journal.rejected()).isEmpty();
            assertThat(journal.recoveryWarnings()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a record that is refused while it is being written is kept, too, and survives the giving up of"
                    + " a file")
    void survivesRotations() {
        try (RecordJournal journal =
                RecordJournal.open(folder, JournalSettings.builder().build(), "", 50_000)) {
            journal.append("refused".getBytes(StandardCharsets.UTF_8))
                    .thenAccept(id -> {
                        var unused = journal.reject(id, "400");
                    })
                    .join();
            for (int i = 0; i < 100; i++) {
                journal.complete(Folders.append(journal, "x".repeat(4_000)));
            }
            assertThat(journal.rejected()).extracting(RejectedRecordsTest::text).containsExactly("refused");
        }
    }

    @Test
    @DisplayName("BATCH-15: a disk that refuses a rejection gets it with the next commit")
    void isWrittenWhenThereIsRoomAgain() {
        JournalSettings settings = JournalSettings.builder().build();
        try (RecordJournal journal = RecordJournal.open(folder, settings, FullDisk.prefix(), 50_000)) {
            long id = Folders.append(journal, "refused");
            FullDisk.FULL.set(true);
            assertThat(journal.reject(id, "412")).failsWithin(Duration.ofSeconds(30));
            FullDisk.FULL.set(false);
            Folders.append(journal, "next");
        }
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(journal.rejected()).extracting(RejectedRecord::reason).containsExactly("412");
            assertThat(Folders.contents(journal).values()).containsExactly("next");
        }
    }

    @Test
    void isRefusedAfterAClose() {
        RecordJournal journal = RecordJournal.open(folder);
        long id = Folders.append(journal, "left");
        journal.close();

        assertThat(journal.reject(id, "409")).failsWithin(Duration.ofSeconds(30));
        assertThatThrownBy(journal::rejected)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> journal.discardRejected(1)).hasMessageContaining("is closed");
    }
}

package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VanishedFolderTest {

    @TempDir
    Path parent;

    private RecordJournal open(Durability durability) {
        return RecordJournal.open(
                parent.resolve("j"),
                JournalSettings.builder()
                        .fsync(durability == Durability.MACHINE)
                        .build());
    }

    private static void refuses(RecordJournal journal) {
        byte[] record = "later".getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> journal.append(record).join())
                .withCauseInstanceOf(JournalException.class)
                .withMessageContaining(journal.folder().toString())
                .withMessageContaining("records.1.mv was removed");
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    @DisplayName("BATCH-15: nothing is accepted once the folder was deleted under a running journal, which says so")
    void refusesInADeletedFolder(Durability durability) {
        try (RecordJournal journal = open(durability)) {
            long before = Folders.append(journal, "before");
            Folders.delete(journal.folder());
            refuses(journal);
            refuses(journal);
            assertThat(journal.recoveryWarnings()).singleElement().asString().contains("records.1.mv", "removed");
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            assertThat(new String(journal.read(before), StandardCharsets.UTF_8)).isEqualTo("before");
        }
    }

    @Test
    @DisplayName("BATCH-15: a folder that was made again in its place is not the journal's")
    void refusesInAnotherFolder() throws IOException {
        try (RecordJournal journal = open(Durability.PROCESS)) {
            Folders.append(journal, "before");
            Folders.delete(journal.folder());
            Files.createDirectory(journal.folder());
            Files.createFile(journal.folder().resolve("records.1.mv"));
            refuses(journal);
        }
    }

    @Test
    @DisplayName("BATCH-15: a journal can be opened again where its folder was deleted")
    void opensAgain() {
        try (RecordJournal journal = open(Durability.PROCESS)) {
            Folders.append(journal, "before");
            Folders.delete(journal.folder());
            refuses(journal);
        }
        try (RecordJournal journal = open(Durability.PROCESS)) {
            Folders.append(journal, "after");
            assertThat(journal.recoveryWarnings()).isEmpty();
            assertThat(Folders.contents(journal).values()).containsExactly("after");
        }
    }
}

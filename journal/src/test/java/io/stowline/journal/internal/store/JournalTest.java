package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JournalTest {

    private static final int MIB = 1024 * 1024;

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    @DisplayName("BATCH-15: what was appended is there after a reopening, in order, and what was done is not")
    void keepsWhatIsNotDone(Durability durability) {
        JournalSettings settings = JournalSettings.builder()
                .fsync(durability == Durability.MACHINE)
                .build();
        long second;
        try (RecordJournal journal = RecordJournal.open(folder, settings)) {
            journal.complete(Folders.append(journal, "first"));
            second = Folders.append(journal, "second");
            Folders.append(journal, "third");
        }
        try (RecordJournal journal = RecordJournal.open(folder, settings)) {
            assertThat(Folders.contents(journal)).hasSize(2).containsEntry(second, "second");
            assertThat(Folders.contents(journal).values()).containsExactly("second", "third");
            assertThat(journal.recoveryWarnings()).isEmpty();
        }
    }

    @Test
    @DisplayName("BATCH-15: a record counts when its append has ended, without a close")
    void isOnDiskWhenTheAppendHasEnded() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            Folders.append(journal, "kept");
            Path crashed = Folders.copy(folder);
            try (RecordJournal after = RecordJournal.open(crashed)) {
                assertThat(Folders.contents(after).values()).containsExactly("kept");
            } finally {
                Folders.delete(crashed);
            }
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a record that is set aside stays, takes its room, and is not counted as one that is not done")
    void setsAside() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            long aside = journal.appendAside("aside".getBytes(StandardCharsets.UTF_8))
                    .join();
            Folders.append(journal, "open");

            assertThat(journal.outstandingRecords()).isEqualTo(1);
            assertThat(journal.outstanding()).contains(aside).hasSize(2);
            assertThat(journal.outstandingBytes()).isEqualTo("asideopen".length());

            journal.forget(aside).join();
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            assertThat(journal.outstanding()).hasSize(1);
        }
    }

    @Test
    void idsGrowInTheOrderOfTheCallsAndOverReopenings() {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (RecordJournal journal = RecordJournal.open(folder)) {
                List<CompletableFuture<Long>> appends = new ArrayList<>();
                for (int k = 0; k < 50; k++) {
                    appends.add(journal.append(new byte[] {(byte) k}));
                }
                appends.forEach(append -> ids.add(append.join()));
            }
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates().hasSize(150);
    }

    @Test
    void showsWhatIsOutstanding() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            long id = Folders.append(journal, "12345");
            Folders.append(journal, "123");
            assertThat(journal.outstandingRecords()).isEqualTo(2);
            assertThat(journal.outstandingBytes()).isEqualTo(8);

            journal.complete(id);
            journal.complete(id);

            assertThat(journal.outstandingRecords()).isEqualTo(1);
            assertThat(journal.outstandingBytes()).isEqualTo(3);
        }
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(journal.outstandingBytes()).isEqualTo(3);
        }
    }

    @Test
    @DisplayName("BATCH-15: what is not done is bounded; beyond it an append is refused and names value and limit")
    void refusesWhatDoesNotFit() {
        JournalSettings small = JournalSettings.builder().maxBytes(MIB).build();
        try (RecordJournal journal = RecordJournal.open(folder, small)) {
            long id = journal.append(new byte[MIB - 10]).join();
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> journal.append(new byte[11]))
                    .withMessageContaining(folder.getFileName().toString())
                    .withMessageContaining(String.valueOf(MIB - 10))
                    .withMessageContaining("maxBytes, " + MIB);

            journal.complete(id);

            assertThat(journal.append(new byte[11]).join()).isPositive();
        }
    }

    @Test
    @DisplayName("BATCH-15: a folder has one owner; the second one is told whose it is")
    void refusesASecondOwner() {
        try (RecordJournal first = RecordJournal.open(folder)) {
            Folders.append(first, "mine");
            assertThatExceptionOfType(JournalException.class)
                    .isThrownBy(() -> RecordJournal.open(folder))
                    .withMessageContaining(folder.getFileName().toString())
                    .withMessageContaining("process " + ProcessHandle.current().pid());
            Folders.append(first, "still mine");
        }
        try (RecordJournal next = RecordJournal.open(folder)) {
            assertThat(next.outstandingRecords()).isEqualTo(2);
        }
    }

    /** Another process that opens the folder and says how that ended. */
    static final class Other {

        public static void main(String[] arguments) {
            try {
                RecordJournal.open(Path.of(arguments[0])).close();
                System.out.println("open");
            } catch (JournalException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    static String saidByAnother(Path folder) throws Exception {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process other = new ProcessBuilder(java, "-Xmx64m", "-cp", classPath, Other.class.getName(), folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String stated = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return stated;
    }

    @Test
    void aSecondOpeningInThisProcessDoesNotGiveTheFolderToAnother() throws Exception {
        try (RecordJournal first = RecordJournal.open(folder)) {
            assertThatExceptionOfType(JournalException.class).isThrownBy(() -> RecordJournal.open(folder));

            assertThat(saidByAnother(folder))
                    .contains("in use by process " + ProcessHandle.current().pid());
            Folders.append(first, "mine");
        }
        assertThat(saidByAnother(folder)).contains("open");
    }

    @Test
    void refusesEverythingAfterAClose() {
        RecordJournal journal = RecordJournal.open(folder);
        journal.close();
        journal.close();

        assertThatThrownBy(() -> journal.append(new byte[1]))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("closed");
        journal.complete(1);
        assertThat(journal.outstandingRecords()).isZero();
    }

    @Test
    void keepsWhomItsRecordsAreFor() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            journal.bindTo("table people of account a");
        }
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThatThrownBy(() -> journal.bindTo("table other of account a"))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is for table people of account a and not for table other");
            journal.bindTo("table people of account a");
        }
    }

    @Test
    void hasOneUserAtATime() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            journal.bindTo("another-account");
            assertThatThrownBy(() -> journal.bindTo("another-account"))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("A closed writer keeps it, too, if a request was in flight");
            journal.release();
            journal.bindTo("another-account");
        }
    }

    @Test
    void refusesAFolderThatIsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");

        assertThatThrownBy(() -> RecordJournal.open(file))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void refusesAFileThatIsNoneOfItsOwn() throws IOException {
        Files.write(folder.resolve("records.1.mv"), new byte[3 * CommitFooter.BLOCK]);

        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("cannot be opened");
        assertThat(folder.resolve("records.1.mv")).hasSize(3 * CommitFooter.BLOCK);
    }

    @Test
    @DisplayName("BATCH-15: where nothing complete is found nothing is deleted")
    void keepsWhatItCannotUnderstand() throws IOException {
        Path file = folder.resolve("records.1.mv");
        JournalFile unsealed = JournalFile.open(file, "");
        unsealed.put(1, ChecksummedRecord.of(1, new byte[] {1}));
        unsealed.commit(Durability.PROCESS);
        unsealed.close();

        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("no file in it is complete");
        assertThat(file).exists();
        assertThat(folder.resolve("records.2.mv")).doesNotExist();
    }

    @Test
    void saysWhichRecordIsMissing() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThatThrownBy(() -> journal.read(7)).hasMessageContaining("has no record 7");
        }
    }

    @Test
    void checksItsSettings() {
        assertThatThrownBy(() -> JournalSettings.builder().maxBytes(10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxBytes")
                .hasMessageContaining("10");
    }
}

package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TornTest {

    private static final String LAST = "the last one, " + "x".repeat(3_000);

    /** Each run takes other bytes; a step of 1 takes all. */
    private static final int STEP = 61;

    @TempDir
    Path folder;

    private byte[] whole = {};
    private int begin;

    @BeforeEach
    void write() throws IOException {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            journal.bindTo("a test");
            Folders.append(journal, "first");
            journal.complete(Folders.append(journal, "done"));
            Folders.append(journal, "second");
            begin = (int) Files.size(Folders.records(folder));
            Folders.append(journal, LAST);
            whole = Files.readAllBytes(Folders.records(folder));
        }
        assertThat(whole.length).isGreaterThan(begin + 3_000);
    }

    /** The records in a file that was changed so. */
    private Map<Long, String> after(UnaryOperator<byte[]> change, boolean expectDamage) throws IOException {
        Path copy = Folders.temporary();
        try {
            Files.write(copy.resolve("records.1.mv"), change.apply(whole.clone()));
            Map<Long, String> found;
            try (RecordJournal journal = RecordJournal.open(copy)) {
                found = Folders.contents(journal);
                if (expectDamage) {
                    assertThat(journal.recoveryWarnings()).isNotEmpty();
                }
                journal.bindTo("a test");
                Folders.append(journal, "later");
            }
            try (RecordJournal journal = RecordJournal.open(copy)) {
                assertThat(journal.recoveryWarnings()).isEmpty();
                assertThat(Folders.contents(journal).values()).contains("later").containsAll(found.values());
            }
            return found;
        } finally {
            Folders.delete(copy);
        }
    }

    @Test
    @DisplayName("BATCH-15: a torn tail is detected, wherever it was torn; what was committed before it is there")
    void survivesATornTail() throws IOException {
        for (int length = begin + 1; length < whole.length; length += 113) {
            int kept = length;
            assertThat(after(bytes -> Arrays.copyOf(bytes, kept), true).values())
                    .as("torn at %s of %s", kept, whole.length)
                    .containsExactly("first", "second");
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: whatever byte of the last commit is wrong, no record is, and what was committed before is there")
    void survivesAWrongByte() throws IOException {
        int first = new Random().nextInt(STEP);
        for (int at = begin + first; at < whole.length; at += STEP) {
            int wrong = at;
            Map<Long, String> found = after(
                    bytes -> {
                        bytes[wrong] ^= 0x55;
                        return bytes;
                    },
                    false);
            assertThat(found.values())
                    .as("byte %s of %s", wrong, whole.length)
                    .contains("first", "second")
                    .allMatch(text ->
                            text.equals("first") || text.equals("second") || text.equals("done") || text.equals(LAST));
        }
    }

    @Test
    @DisplayName("BATCH-15: a record that is damaged is reported and never shown")
    void reportsADamagedRecord() throws IOException {
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        int at = text.lastIndexOf("x".repeat(100));

        Map<Long, String> found = after(
                bytes -> {
                    bytes[at] = 'y';
                    return bytes;
                },
                true);

        assertThat(found.values()).containsExactly("first", "second");
    }

    @Test
    @DisplayName("BATCH-15: an old damaged page costs a bounded number of looks, and nothing else is lost")
    void looksBackInLargerSteps() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        try (RecordJournal journal = RecordJournal.open(old)) {
            for (int i = 0; i < 1_500; i++) {
                Folders.append(journal, i == 0 ? "z".repeat(5_000) : "record " + i);
            }
        }
        Path file = Folders.records(old);
        byte[] bytes = Files.readAllBytes(file);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (int at = text.indexOf("z".repeat(100)); at >= 0; at = text.indexOf("z".repeat(100), at + 5_000)) {
            bytes[at + 50] = 'y';
        }
        Files.write(file, bytes);
        JournalFile into = JournalFile.open(old.resolve("records.9.mv"), "");
        JournalRecovery recovery = new JournalRecovery(into, true);

        assertThat(recovery.read(file)).isTrue();

        List<String> found = new ArrayList<>();
        into.forEach((framed, id) -> found.add(new String(ChecksummedRecord.read(id, framed), StandardCharsets.UTF_8)));
        into.close();
        assertThat(found).hasSize(1_499).allMatch(each -> each.startsWith("record "));
        assertThat(recovery.checks()).isBetween(1, 110);
        assertThat(recovery.report()).anyMatch(line -> line.contains("is damaged and lost"));
    }

    @Test
    void aTailOfZeroesIsATornOne() throws IOException {
        assertThat(after(bytes -> Arrays.copyOf(bytes, bytes.length + 3 * CommitFooter.BLOCK), true)
                        .values())
                .containsExactly("first", "second", LAST);
    }

    @Test
    void aFileThatWasNotFilledGivesWayToTheOneBefore() throws IOException {
        Path unfinished = folder.resolve("records.7.mv");
        JournalFile generation = JournalFile.open(unfinished, "");
        generation.put(99, ChecksummedRecord.of(99, new byte[3]));
        generation.commit(Durability.PROCESS);
        generation.close();

        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(Folders.contents(journal).values()).containsExactly("first", "second", LAST);
        }
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void aFileThatWasFilledCounts() throws IOException {
        JournalFile generation = JournalFile.open(folder.resolve("records.7.mv"), "");
        generation.put(99, ChecksummedRecord.of(99, new byte[] {'z'}));
        generation.seal("a test");
        generation.close();

        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(Folders.contents(journal)).containsOnly(Map.entry(99L, "z"));
        }
        assertThat(folder.resolve("records.1.mv")).doesNotExist();
        assertThat(folder.resolve("records.8.mv")).exists();
    }
}

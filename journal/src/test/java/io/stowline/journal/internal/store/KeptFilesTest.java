package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that lost something are kept, and reported. */
class KeptFilesTest {

    private static final int RECORDS = 40;

    @TempDir
    Path place;

    private Path folder() {
        return place.resolve("journal");
    }

    private byte[] fill() throws IOException {
        try (RecordJournal journal = RecordJournal.open(folder())) {
            for (int i = 0; i < RECORDS; i++) {
                Folders.append(journal, "record " + i);
            }
        }
        return Files.readAllBytes(Folders.records(folder()));
    }

    private byte[] change(UnaryOperator<byte[]> change) throws IOException {
        byte[] changed = change.apply(fill());
        Files.write(Folders.records(folder()), changed);
        return changed;
    }

    private record Found(int records, List<String> warnings) {}

    private Found open() {
        try (RecordJournal journal = RecordJournal.open(folder())) {
            return new Found(journal.outstandingRecords(), journal.recoveryWarnings());
        }
    }

    private List<String> kept() throws IOException {
        try (var files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".torn") || name.endsWith(".damaged"))
                    .sorted()
                    .toList();
        }
    }

    private void isKept(String name, byte[] content) throws IOException {
        assertThat(kept()).containsExactly(name);
        assertThat(Files.readAllBytes(folder().resolve(name))).isEqualTo(content);
    }

    private static byte[] zeroedFrom(byte[] bytes, int from) {
        Arrays.fill(bytes, from, bytes.length, (byte) 0);
        return bytes;
    }

    private static byte[] damaged(byte[] bytes, int from) {
        for (int i = from; i < from + 64; i++) {
            bytes[i] ^= 0x55;
        }
        return bytes;
    }

    @Test
    @DisplayName("BATCH-15: a file of which the last quarter is cut off stays, and the warning counts what was read")
    void keepsACutFile() throws IOException {
        byte[] left = change(bytes -> Arrays.copyOf(bytes, bytes.length * 3 / 4 / 4096 * 4096 - 100));

        Found found = open();

        assertThat(found.records).isBetween(1, RECORDS - 1);
        assertThat(found.warnings)
                .singleElement()
                .asString()
                .contains("the last commit of records.1.mv is torn")
                .contains("kept beside the journal as records.1.mv.torn")
                .endsWith(found.records + " records could be read");
        isKept("records.1.mv.torn", left);
        assertThat(open().warnings).isEmpty();
    }

    @Test
    @DisplayName("BATCH-15: a file of which the last quarter is zeroes stays")
    void keepsAFileOfWhichTheEndIsZeroes() throws IOException {
        byte[] left = change(bytes -> zeroedFrom(bytes, bytes.length * 3 / 4));

        Found found = open();

        assertThat(found.records).isBetween(1, RECORDS - 1);
        assertThat(found.warnings).singleElement().asString().contains("is torn");
        isKept("records.1.mv.torn", left);
    }

    @Test
    @DisplayName("BATCH-15: bytes that are damaged inside the last commit are called damaged, and the file stays")
    void keepsAFileWhoseLastCommitIsDamaged() throws IOException {
        byte[] whole = fill();
        Path file = Folders.records(folder());
        CommitFooter last = CommitFooter.last(file);
        byte[] left = damaged(whole, (int) last.begin());
        Files.write(file, left);

        Found found = open();

        assertThat(found.records).isBetween(1, RECORDS - 1);
        assertThat(found.warnings)
                .singleElement()
                .asString()
                .contains("the end of records.1.mv is damaged")
                .endsWith(found.records + " records could be read");
        isKept("records.1.mv.damaged", left);
    }

    @Test
    @DisplayName("BATCH-15: a short file of zeroes is reported and stays")
    void keepsAFileOfZeroes() throws IOException {
        byte[] left = change(bytes -> new byte[5_000]);

        Found found = open();

        assertThat(found.records).isZero();
        assertThat(found.warnings)
                .singleElement()
                .asString()
                .startsWith("records.1.mv was never finished or has lost what it held")
                .endsWith("no record of it could be read");
        isKept("records.1.mv.damaged", left);
    }

    @Test
    @DisplayName("BATCH-15: an empty file where there were records is reported")
    void reportsAnEmptyFile() throws IOException {
        change(bytes -> new byte[0]);

        Found found = open();

        assertThat(found.records).isZero();
        assertThat(found.warnings).containsExactly("records.1.mv is empty; no record of it could be read");
        assertThat(kept()).isEmpty();
    }

    @Test
    @DisplayName("BATCH-15: a file of records that is missing is reported")
    void reportsAMissingFile() throws IOException {
        fill();
        Files.delete(Folders.records(folder()));

        Found found = open();

        assertThat(found.records).isZero();
        assertThat(found.warnings)
                .singleElement()
                .asString()
                .contains("has no file of records although it has held one");
        assertThat(open().warnings).isEmpty();
    }

    @Test
    @DisplayName("BATCH-15: neither the first opening nor one after a crash in the middle of it reports anything")
    void aFirstOpeningReportsNothing() throws IOException {
        assertThat(open().warnings).isEmpty();
        byte[] header = Arrays.copyOf(Files.readAllBytes(Folders.records(folder())), CommitFooter.HEADER);
        for (byte[] begun : new byte[][] {null, new byte[0], header}) {
            Files.delete(Folders.records(folder()));
            Files.writeString(folder().resolve("owner"), "123");
            if (begun != null) {
                Files.write(folder().resolve("records.1.mv"), begun);
            }

            assertThat(open()).isEqualTo(new Found(0, List.of()));
            assertThat(kept()).isEmpty();
        }
    }

    @Test
    @DisplayName("BATCH-15: a file that was not finished is reported with the one that was read in its place")
    void keepsAFileThatWasNotFinished() throws IOException {
        fill();
        JournalFile.open(folder().resolve("records.7.mv"), "").close();

        Found found = open();

        assertThat(found.records).isEqualTo(RECORDS);
        assertThat(found.warnings)
                .singleElement()
                .asString()
                .contains("records.7.mv.torn; records.1.mv, the one before, was read instead");
        assertThat(kept()).containsExactly("records.7.mv.torn");
    }

    @Test
    @DisplayName("BATCH-15: a damaged file stays although the process ended after it had made the next one")
    void keepsADamagedFileThatWasReplaced() throws IOException {
        byte[] left = change(bytes -> zeroedFrom(bytes, bytes.length * 3 / 4));
        JournalFile next = JournalFile.open(folder().resolve("records.2.mv"), "");
        next.seal("a test");
        next.close();

        assertThat(open().warnings)
                .singleElement()
                .asString()
                .contains("records.1.mv, which a later file has replaced, is torn or damaged");
        isKept("records.1.mv.damaged", left);
    }

    @Test
    @DisplayName("BATCH-15: a whole file that was replaced is deleted without a word")
    void deletesAWholeFileThatWasReplaced() throws IOException {
        fill();
        JournalFile next = JournalFile.open(folder().resolve("records.2.mv"), "");
        next.seal("a test");
        next.close();

        assertThat(open().warnings).isEmpty();
        assertThat(kept()).isEmpty();
    }

    @Test
    @DisplayName(
            "BATCH-15: the newest three torn files are kept; one that gives way is reported, and no damaged one does")
    void keepsABoundedNumber() throws IOException {
        Files.createDirectories(place);
        change(bytes -> new byte[5_000]);
        Found last = open();
        for (int i = 0; i < 4; i++) {
            byte[] bytes = Files.readAllBytes(Folders.records(folder()));
            Files.write(Folders.records(folder()), Arrays.copyOf(bytes, bytes.length + 100));
            last = open();
        }

        assertThat(kept())
                .containsExactly("records.1.mv.damaged", "records.3.mv.torn", "records.4.mv.torn", "records.5.mv.torn");
        assertThat(last.warnings).anyMatch(line -> line.startsWith("records.2.mv.torn was deleted"));
    }

    @Test
    @DisplayName("BATCH-15: a new file never has the number of one that is kept")
    void numbersGoOn() throws IOException {
        change(bytes -> new byte[5_000]);
        open();
        Files.delete(Folders.records(folder()));

        open();

        assertThat(Folders.records(folder()).getFileName()).hasToString("records.2.mv");
    }

    @Test
    @DisplayName("BATCH-15: a journal that cannot be read is refused unchanged, and the refusal says what to do")
    void refusesWhatItCannotRead() throws IOException {
        refuses(change(bytes -> damaged(bytes, CommitFooter.HEADER)));
    }

    @Test
    @DisplayName("BATCH-15: a journal whose file is zeroes throughout is refused unchanged")
    void refusesZeroes() throws IOException {
        refuses(change(bytes -> new byte[bytes.length]));
    }

    private void refuses(byte[] left) throws IOException {
        Path file = Folders.records(folder());

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> RecordJournal.open(folder()))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("nothing in it was changed")
                    .hasMessageContaining("move the folder away and keep it");
        }

        assertThat(Files.readAllBytes(file)).isEqualTo(left);
        Files.move(folder(), place.resolve("kept"));
        assertThat(open()).isEqualTo(new Found(0, List.of()));
    }
}

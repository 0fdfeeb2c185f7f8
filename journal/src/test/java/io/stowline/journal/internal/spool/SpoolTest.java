package io.stowline.journal.internal.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.store.RecordJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {

    private static final int MIB = 1024 * 1024;

    @TempDir
    Path folder;

    private RecordJournal journal() {
        return RecordJournal.open(
                folder, JournalSettings.builder().maxBytes(MIB).build());
    }

    @Test
    @DisplayName("RECORD-1: operations and streams of one journal share its limit and its numbers")
    void sharesTheLimit() {
        try (RecordJournal journal = journal()) {
            SpoolFile file = journal.spool().create(Spools.bytes("head"));
            file.write(new byte[MIB / 2]);
            journal.append(new byte[MIB / 4]).join();
            assertThat(journal.outstandingBytes()).isEqualTo(3 * MIB / 4);
            assertThat(journal.outstandingRecords()).isEqualTo(2);
            assertThatThrownBy(() -> file.write(new byte[MIB / 4 + 1]))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is full: " + 3 * MIB / 4 + " bytes")
                    .hasMessageContaining("maxBytes, " + MIB);
            assertThatThrownBy(() -> journal.append(new byte[MIB / 4 + 1])).hasMessageContaining("is full");
            file.write(new byte[MIB / 4]);
            file.delete();
            assertThat(journal.outstandingBytes()).isEqualTo(MIB / 4);
            journal.append(new byte[MIB / 2]).join();
        }
        try (RecordJournal journal = journal()) {
            assertThat(journal.outstandingRecords()).isEqualTo(2);
            assertThat(journal.spool().found()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: streams that are left are found in the order of their creation, also where there are more than can be open")
    void findsStreamsInOrder() {
        List<String> all = new ArrayList<>();
        try (RecordJournal journal = journal()) {
            for (int i = 0; i < 150; i++) {
                SpoolFile file = journal.spool().create(Spools.bytes("head-" + i));
                Spools.write(file, "record-" + i);
                all.add("record-" + i);
                file.end();
                assertThatThrownBy(() -> file.write(new byte[1])).hasMessageContaining("has ended");
            }
            journal.spool().create(Spools.bytes("empty"));
        }
        try (RecordJournal journal = journal()) {
            List<SpoolFile> found = journal.spool().found();
            assertThat(found).extracting(file -> Spools.records(file).get(0)).isEqualTo(all);
            assertThat(found.get(149).head()).isEqualTo(Spools.bytes("head-149"));
            found.forEach(file -> file.seal(Spools.bytes("seal")));
            found.forEach(SpoolFile::delete);
            assertThat(journal.outstandingBytes()).isZero();
            assertThat(Spools.names(folder)).noneMatch(name -> name.startsWith("spool"));
        }
    }

    @Test
    @DisplayName("RECORD-1: a stream of a journal that is given back belongs to the next user")
    void givesStreamsBack() {
        try (RecordJournal journal = journal()) {
            journal.bindTo("records of a/b");
            SpoolFile file = journal.spool().create(Spools.bytes("head"));
            Spools.write(file, "one");
            file.seal(Spools.bytes("seal"));
            journal.release();
            assertThatThrownBy(() -> file.write(new byte[1])).isInstanceOf(JournalException.class);
            assertThatThrownBy(file::content).isInstanceOf(JournalException.class);
            file.delete();
            journal.bindTo("records of a/b");
            SpoolFile next = journal.spool().found().get(0);
            assertThat(next.seal()).isEqualTo(Spools.bytes("seal"));
            assertThat(Spools.records(next)).containsExactly("one");
            assertThat(journal.outstandingRecords()).isEqualTo(1);
            next.delete();
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: a journal that was closed keeps what is delivered afterwards for the next process, which can settle it")
    void deletesNothingAfterAClose() {
        SpoolFile file;
        try (RecordJournal journal = journal()) {
            file = journal.spool().create(Spools.bytes("head"));
            Spools.write(file, "one");
        }
        file.delete();
        file.reject("late");
        assertThat(Spools.names(folder)).contains("spool.1");
        try (RecordJournal journal = journal()) {
            assertThat(Spools.found(journal.spool())).containsExactly("one");
        }
    }

    @Test
    @DisplayName("RECORD-1: rejected streams are kept within their bytes, the newest one always")
    void boundsRejectedStreams() {
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM, 10L * RejectedFiles.MAX_BYTES)) {
            byte[] large = new byte[(int) RejectedFiles.MAX_BYTES / 4];
            for (int i = 0; i < 5; i++) {
                SpoolFile file = spool.create(Spools.bytes("head"));
                file.write(large);
                file.write(new byte[1]);
                file.reject("409 ".repeat(3_000));
            }
            assertThat(spool.rejectedRecords()).isEqualTo(6);
            assertThat(spool.droppedRejections()).isEqualTo(4);
            SpoolFile file = spool.create(Spools.bytes("head"));
            for (int i = 0; i < 5; i++) {
                file.write(large);
            }
            file.reject("409");
            assertThat(spool.rejectedRecords()).isEqualTo(5);
        }
        assertThat(Spools.names(folder)).containsExactly("spool.6.rejected");
        try (Spool spool = Spools.open(folder, Durability.PROCESS, SpoolDisk.SYSTEM)) {
            assertThat(spool.rejectedRecords()).isEqualTo(5);
            spool.create(Spools.bytes("head"));
            assertThat(Spools.names(folder)).containsExactly("spool.6.rejected", "spool.7");
        }
    }

    @Test
    void refusesASecondJournal() {
        try (Journal first = Journal.open(folder)) {
            assertThat(first.outstandingRecords()).isZero();
            assertThatThrownBy(() -> Journal.open(folder)).hasMessageContaining("in use");
        }
    }

    @Test
    void refusesFilesOfOthers() throws IOException {
        try (RecordJournal journal = journal()) {
            Spools.write(journal.spool().create(Spools.bytes("head")), "one");
        }
        Path file = folder.resolve("spool.1");
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
            assertThatThrownBy(this::journal).hasMessageContaining("others may write spool.1");
        }
        Files.delete(file);
        Files.createSymbolicLink(file, Files.writeString(folder.resolve("text"), "text"));
        assertThatThrownBy(this::journal).hasMessageContaining("spool.1 is not a file");
    }

    @Test
    @DisplayName("RECORD-1: a file that was never finished has no record, and goes")
    void deletesUnfinishedFiles() throws IOException {
        Files.write(folder.resolve("spool.1"), new byte[0]);
        Files.write(folder.resolve("spool.2"), new byte[7]);
        Files.write(folder.resolve("spool.3"), new byte[700]);
        Files.writeString(folder.resolve("spool.txt"), "not one of its files");
        try (RecordJournal journal = journal()) {
            assertThat(journal.recoveryWarnings()).hasSize(3);
            assertThat(journal.spool().found()).isEmpty();
            assertThat(Spools.names(folder))
                    .contains("spool.3.damaged", "spool.txt")
                    .doesNotContain("spool.1", "spool.2");
        }
    }
}

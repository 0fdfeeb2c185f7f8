package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFolderTest {

    @TempDir
    Path place;

    @BeforeEach
    void posixOnly() {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    private Path folder(String mode) throws IOException {
        Path folder = Files.createDirectory(place.resolve("journal"));
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    }

    @Test
    @DisplayName("BATCH-15: the folder of a journal and its files are their owner's alone")
    void isPrivate() throws IOException {
        Path folder = place.resolve("parent/journal");
        JournalSettings settings = JournalSettings.builder().fsync(true).build();
        try (RecordJournal journal = RecordJournal.open(folder, settings)) {
            Folders.append(journal, "secret");
            assertThat(mode(folder)).isEqualTo("rwx------");
            try (var files = Files.list(folder)) {
                assertThat(files).hasSize(2).allSatisfy(file -> assertThat(mode(file))
                        .isEqualTo("rw-------"));
            }
        }
    }

    @Test
    @DisplayName("BATCH-15: a folder that others could read becomes private")
    void becomesPrivate() throws IOException {
        Path folder = folder("rwxr-xr-x");
        RecordJournal.open(folder).close();
        assertThat(mode(folder)).isEqualTo("rwx------");
    }

    @Test
    @DisplayName("BATCH-15: a folder that others may write into is refused, and what is in it is not replayed")
    void refusesAFolderOfOthers() throws IOException {
        Path folder = folder("rwxrwxrwx");
        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("others may write into it (rwxrwxrwx)");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        RecordJournal.open(folder).close();
    }

    @Test
    @DisplayName("BATCH-15: neither the folder nor a file in it is reached through a link, and no target is truncated")
    void followsNoLinks() throws IOException {
        Path target = Files.writeString(place.resolve("target"), "precious");
        Path elsewhere = Files.createDirectory(place.resolve("elsewhere"));
        Path folder = folder("rwx------");
        Files.createSymbolicLink(folder.resolve("owner"), target);
        assertThatThrownBy(() -> RecordJournal.open(folder)).isInstanceOf(JournalException.class);
        Files.delete(folder.resolve("owner"));
        Files.createSymbolicLink(folder.resolve("records.1.mv"), target);
        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("records.1.mv is not a file but a link");
        Files.delete(folder.resolve("records.1.mv"));
        Path link = Files.createSymbolicLink(place.resolve("link"), elsewhere);
        assertThatThrownBy(() -> RecordJournal.open(link))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("it is a link");

        assertThat(target).hasContent("precious");
        RecordJournal.open(folder).close();
    }

    @Test
    @DisplayName("BATCH-15: a file that others may write is not replayed")
    void refusesAFileOfOthers() throws IOException {
        Path folder = folder("rwx------");
        try (RecordJournal journal = RecordJournal.open(folder)) {
            Folders.append(journal, "kept");
        }
        Path records = Folders.records(folder);
        Files.setPosixFilePermissions(records, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThatThrownBy(() -> RecordJournal.open(folder)).hasMessageContaining("others may write");
        Files.setPosixFilePermissions(records, PosixFilePermissions.fromString("rw-------"));
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
        }
    }

    private static void giveToAnother(Path file) throws IOException {
        assumeThat(System.getProperty("user.name")).as("may give files away").isEqualTo("root");
        Files.setOwner(
                file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }

    @Test
    @DisplayName("BATCH-15: a folder or a file of another user is refused, and what is in it is not replayed")
    void refusesAnotherUser() throws IOException {
        Path folder = folder("rwx------");
        try (RecordJournal journal = RecordJournal.open(folder)) {
            Folders.append(journal, "kept");
        }
        Path records = Folders.records(folder);
        giveToAnother(records);
        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(records.getFileName() + " belongs to another user, nobody");
        giveToAnother(folder);
        assertThatThrownBy(() -> RecordJournal.open(folder))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("it belongs to another user, nobody, and this process runs as root");
        assertThat(mode(folder)).isEqualTo("rwx------");
        try (var files = Files.list(folder)) {
            assertThat(files)
                    .extracting(file -> file.getFileName().toString())
                    .noneMatch(name -> name.startsWith("probe"));
        }
    }
}

package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class TestkitFoldersTest {

    @TempDir
    Path temp;

    @Test
    void deletesAFolderWithAllItHolds() throws IOException {
        Path folder = Files.createDirectories(temp.resolve("a/b/c")).getParent();
        Files.writeString(folder.resolve("c/file"), "x");

        TestkitFolders.delete(temp.resolve("a"));

        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void hasNothingToDoForAMissingFolder() throws IOException {
        TestkitFolders.delete(temp.resolve("none"));

        assertThat(temp).isEmptyDirectory();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "symbolic links need a privilege there")
    void leavesWhatALinkPointsAt() throws IOException {
        Path kept =
                Files.writeString(Files.createDirectory(temp.resolve("kept")).resolve("file"), "x");
        Path folder = Files.createDirectory(temp.resolve("a"));
        Files.createSymbolicLink(folder.resolve("link"), kept.getParent());

        TestkitFolders.delete(folder);

        assertThat(kept).exists();
        assertThat(folder).doesNotExist();
    }
}

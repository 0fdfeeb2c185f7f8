package io.stowline.blob.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.file.UnfinishedFiles.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Folders that are known to have no state of an unfinished download. */
@Timeout(60)
class StateFoldersTest {

    private final StateFolders folders = new StateFolders();

    @TempDir
    private Path root;

    private Path folder(String name) throws IOException {
        return Files.createDirectories(root.resolve(name));
    }

    private boolean mayHold(Path folder) {
        return folders.mayHold(folder.resolve("a"));
    }

    @Test
    @DisplayName("a state is found whatever its hash is; parts and other files are no states")
    void states() throws IOException {
        Path none = folder("none");
        Files.createFile(none.resolve(".stowline-1.part"));
        Files.createFile(none.resolve("a.state"));
        assertThat(mayHold(none)).isFalse();

        Path one = folder("one");
        Files.createFile(one.resolve("z"));
        Files.createFile(UnfinishedFiles.state(one.resolve("a"), "https://acct/photos/a"));
        assertThat(mayHold(one)).isTrue();
    }

    @Test
    @DisplayName("a folder that cannot be looked through may hold states")
    void unknown() {
        assertThat(mayHold(root.resolve("gone"))).isTrue();
    }

    @Test
    @DisplayName("a pipe in the place of a folder is not waited for")
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void pipe() throws Exception {
        Path pipe = root.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(mayHold(pipe)).isTrue();
    }

    @Test
    @DisplayName("a folder is looked through once, until many others have come between")
    void once() throws IOException {
        Path first = folder("first");
        assertThat(mayHold(first)).isFalse();
        Files.createFile(UnfinishedFiles.state(first.resolve("a"), "https://acct/photos/a"));
        for (int i = 0; i < 50; i++) {
            assertThat(mayHold(folder("other" + i))).isFalse();
        }
        assertThat(mayHold(first)).as("as it was seen").isFalse();

        for (int i = 0; i < 100; i++) {
            assertThat(mayHold(folder("more" + i))).isFalse();
        }
        assertThat(mayHold(first)).as("looked through again").isTrue();
    }
}

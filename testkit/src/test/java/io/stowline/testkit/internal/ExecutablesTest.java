package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExecutablesTest {

    @TempDir
    Path temp;

    @Test
    void takesTheFirstFolderThatHasTheProgram() throws IOException {
        Path empty = Files.createDirectory(temp.resolve("empty"));
        Path first = program(temp.resolve("first"), "node");
        Path second = program(temp.resolve("second"), "node");

        Executables found = new Executables(List.of(empty, first.getParent(), second.getParent()), false);

        assertThat(found.find("node")).contains(first);
    }

    @Test
    void passesOverFoldersAndFilesThatCannotRun() throws IOException {
        Files.createDirectories(temp.resolve("a/node"));
        Files.createDirectories(temp.resolve("b"));
        Files.writeString(temp.resolve("b/node"), "not executable");

        Executables found = new Executables(List.of(temp.resolve("a"), temp.resolve("b")), false);

        assertThat(found.find("node")).isEmpty();
    }

    @Test
    void onWindowsPassesOverTheShellScriptBesideTheCommand() throws IOException {
        program(temp, "npm");
        Path command = program(temp, "npm.cmd");
        Path node = program(temp, "node.exe");

        Executables found = new Executables(List.of(temp), true);

        assertThat(found.find("npm")).contains(command);
        assertThat(found.find("node")).contains(node);
    }

    @Test
    void readsThePathOfTheProcess() {
        String path = "one" + File.pathSeparator + File.pathSeparator + "with\0nul" + File.pathSeparator + "two";

        assertThat(Executables.of(path, false).folders()).containsExactly(Path.of("one"), Path.of("two"));
        assertThat(Executables.of(null, false).folders()).isEmpty();
    }

    @Test
    void tellsWindowsByItsName() {
        assertThat(Executables.isWindows("Windows 11")).isTrue();
        assertThat(Executables.isWindows("Linux")).isFalse();
        assertThat(Executables.isWindows("Darwin")).isFalse();
    }

    private static Path program(Path folder, String name) throws IOException {
        Path file = Files.createDirectories(folder).resolve(name);
        Files.writeString(file, "");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}

package io.stowline.blob.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FolderTargetTest {

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/a",
                "a/",
                "a//b",
                "..",
                "../a",
                "a/../../b",
                "./a",
                "a\\b",
                "a\0",
                ".stowline-x",
                "a/.stowline-"
            })
    void leadsElsewhere(String name) {
        assertThatThrownBy(() -> new FolderTarget(root).of(name))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no file below the folder");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C:",
                "C:/x",
                "c:x",
                "CON",
                "con.txt",
                "a/Aux",
                "NUL",
                "com1",
                "LPT9.log",
                "lpt\u00B2",
                "a.",
                "a ",
                "a?",
                "a*",
                "a<",
                "a\"",
                "a|b",
                "a:b",
                "a\t"
            })
    void noNameOnWindows(String name) throws IOException {
        assertThatThrownBy(() -> new FolderTarget(root, true).of(name))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Windows");
        assertThat(new FolderTarget(root, false).of(name)).isEqualTo(root.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "...", "..a", "a..", "a b", "%2e%2e", "~", "-rf", "console", "com", "\u00E9", "e\u0301"})
    void usual(String name) throws IOException {
        FolderTarget target = new FolderTarget(root, false);

        assertThat(target.of(name)).isEqualTo(root.resolve(name));
        assertThat(target.of("x/" + name)).isEqualTo(root.resolve("x").resolve(name));
    }

    @Test
    @DisplayName("TRANSFER-4: two dots in the path of the folder count from where a link leads")
    void dots() throws IOException {
        Path inner = Files.createDirectories(root.resolve("other/inner"));
        Path link = Files.createSymbolicLink(root.resolve("link"), inner);

        assertThat(new FolderTarget(link.resolve("../x")).root())
                .isEqualTo(root.toRealPath().resolve("other/x"));
        assertThat(new FolderTarget(inner.resolve("./../x/.")).root())
                .isEqualTo(root.toRealPath().resolve("other/x"));
        assertThat(new FolderTarget(root.resolve("absent/../x")).root()).isEqualTo(root.resolve("x"));
        assertThat(new FolderTarget(link).root()).isEqualTo(link);
        assertThat(new FolderTarget(root.resolve("/../..")).root()).isEqualTo(root.getRoot());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowhere", "loop", "file"})
    @DisplayName("TRANSFER-4: two dots behind a link that leads to no folder name none")
    void dotsBehindNothing(String name) throws IOException {
        Files.createFile(root.resolve("other"));
        Path link = Files.createSymbolicLink(
                root.resolve(name), root.resolve(name.equals("loop") ? name : name.equals("file") ? "other" : "gone"));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> new FolderTarget(link.resolve("../x")))
                .withMessageContaining(link.toString());
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> new FolderTarget(link.resolve("sub/../../x")))
                .withMessageContaining(link.toString());
    }

    @Test
    @DisplayName("TRANSFER-4: folders are made one by one, and none is reached through a link")
    void parents() throws IOException {
        FolderTarget target = new FolderTarget(root);
        Path outside = Files.createDirectory(root.resolve("outside"));
        Files.createSymbolicLink(root.resolve("link"), outside);
        assertThat(target.attributes("a/b/c", target.of("a/b/c"), false)).isNull();
        assertThat(target.root().resolve("a")).doesNotExist();
        assertThat(target.attributes("a/b/c", target.of("a/b/c"), true)).isNull();
        assertThat(target.attributes("a/b/d", target.of("a/b/d"), true)).isNull();

        assertThat(root.resolve("a/b")).isDirectory();
        assertThatThrownBy(() -> target.attributes("link/x/y", target.of("link/x/y"), true))
                .hasMessageContaining("is no folder");
        assertThatThrownBy(() -> target.attributes("link/x", target.of("link/x"), false))
                .hasMessageContaining("is no folder");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    @DisplayName("names that differ in case only are not written at the same time where they are one file")
    void claims() throws IOException {
        FolderTarget target = new FolderTarget(root, true);
        target.claim("a/B");

        assertThatThrownBy(() -> target.claim("A/b")).hasMessageContaining("case only");
        target.release("a/B");
        target.claim("A/b");
    }

    @Test
    @DisplayName("a look at the folder itself says whether case counts, and leaves nothing behind")
    void probe() throws IOException {
        FolderTarget target = new FolderTarget(root.resolve("new"), true);
        target.make();
        boolean folds = Files.exists(root.resolve("NEW"));

        target.claim("a");
        assertThat(catchThrowable(() -> target.claim("A")) != null).isEqualTo(folds);
        assertThat(root.resolve("new")).isEmptyDirectory();
    }
}

package io.stowline.blob.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Folders whose parts become links, with open folders and with real paths. */
class LocalFolderTest {

    @TempDir
    private Path root;

    @TempDir
    private Path outside;

    @BeforeEach
    void files() throws IOException {
        file(root, "top");
        file(root, "a/b/inner");
        file(outside, "inner");
        file(outside, "b/inner");
    }

    private static Path file(Path root, String name) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, root.toString());
    }

    private void becomesLink(String name, Path target) throws IOException {
        Files.move(root.resolve(name), root.resolve("moved"));
        Files.createSymbolicLink(root.resolve(name), target);
    }

    private String read(LocalFolder folder, String name) throws IOException {
        try (FileChannel channel = folder.open(root.resolve(name))) {
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> names(LocalFolder folder, String name) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> all = folder.list(root.resolve(name))) {
            all.forEach(path -> names.add(root.relativize(path).toString()));
        }
        return names;
    }

    private LocalFile found(String name) throws IOException {
        return new FolderWalk(new LocalFolder(root))
                .next(100).stream()
                        .filter(file -> file.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    @ParameterizedTest(name = "within open folders: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("TRANSFER-4: files are listed, read and deleted below the root, at any depth")
    void readsAndDeletes(boolean within) throws IOException {
        LocalFolder folder = new LocalFolder(root, within);

        assertThat(names(folder, "")).containsExactlyInAnyOrder("top", "a");
        assertThat(names(folder, "a/b")).containsExactly("a/b/inner");
        assertThat(read(folder, "top")).isEqualTo(root.toString());
        assertThat(read(folder, "a/b/inner")).isEqualTo(root.toString());
        folder.delete(found("a/b/inner"));
        folder.delete(found("top"));

        assertThat(root.resolve("top")).doesNotExist();
        assertThat(root.resolve("a/b")).isEmptyDirectory();
        assertThatThrownBy(() -> read(folder, "top")).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> names(folder, "none")).isInstanceOf(NoSuchFileException.class);
    }

    @ParameterizedTest(name = "within open folders: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("TRANSFER-4: nothing is reached through a folder that has become a link, whichever one it is")
    void folderBecomesLink(boolean within) throws IOException {
        LocalFolder folder = new LocalFolder(root, within);
        LocalFile inner = found("a/b/inner");
        becomesLink("a", outside);

        assertThatIOException().isThrownBy(() -> names(folder, "a")).withMessageContaining(root.resolve("a") + " is");
        assertThatIOException().isThrownBy(() -> names(folder, "a/b"));
        assertThatIOException().isThrownBy(() -> read(folder, "a/b/inner"));
        assertThatIOException().isThrownBy(() -> folder.delete(inner));
        assertThat(outside.resolve("b/inner")).exists();
    }

    @ParameterizedTest(name = "within open folders: {0}")
    @ValueSource(booleans = {true, false})
    @DisplayName("TRANSFER-4: a file that has become a link is not read, and one that changed is not deleted")
    void fileBecomesLink(boolean within) throws IOException {
        LocalFolder folder = new LocalFolder(root, within);
        LocalFile top = found("top");
        becomesLink("top", outside.resolve("inner"));

        assertThatIOException().isThrownBy(() -> read(folder, "top"));
        assertThatIOException()
                .isThrownBy(() -> folder.delete(top))
                .withMessageEndingWith("changed since it was found");
        assertThat(outside.resolve("inner")).exists();
    }

    @Test
    @DisplayName("a root that is a link, or lies below one, is followed: its caller has named it")
    void rootBelowLink() throws IOException {
        Path link = outside.resolve("link");
        Files.createSymbolicLink(link, root.resolve("a"));

        for (boolean within : new boolean[] {true, false}) {
            try (FileChannel channel = new LocalFolder(link, within).open(link.resolve("b/inner"))) {
                assertThat(channel.size()).isPositive();
            }
        }
    }

    @Test
    @DisplayName("TRANSFER-4: a folder that changes to a link and back all the time never gives what lies outside")
    void changesAllTheTime() throws Exception {
        LocalFolder folder = new LocalFolder(root);
        Path a = root.resolve("a");
        Path link = outside.resolve("link");
        Path away = outside.resolve("away");
        Files.createSymbolicLink(link, outside);
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Thread changing = new Thread(() -> {
            try {
                while (!over.get()) {
                    Files.move(a, away);
                    Files.move(link, a, StandardCopyOption.ATOMIC_MOVE);
                    Files.move(a, link);
                    Files.move(away, a);
                }
            } catch (AtomicMoveNotSupportedException e) {
                // Both folders are on different disks: then there is nothing to see.
            } catch (IOException e) {
                failed.set(e);
            }
        });
        changing.start();

        try {
            for (int i = 0; i < 3_000; i++) {
                try {
                    assertThat(read(folder, "a/b/inner")).isEqualTo(root.toString());
                } catch (IOException e) {
                    // It was a link, or away.
                }
            }
        } finally {
            over.set(true);
            changing.join();
        }
        assertThat(failed.get()).isNull();
        assertThat(read(folder, "a/b/inner")).isEqualTo(root.toString());
    }

    @Test
    @DisplayName("TRANSFER-4: the blob of a file stays unless it is certain that there is no such file")
    void stays() throws IOException {
        Files.createDirectories(root.resolve("empty"));
        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nothing"));
        LocalFolder folder = new LocalFolder(root);

        for (String gone : List.of("none", "none/x", "a/none", "a", "a/b", "empty", "top/x", "a/b/inner/x/y")) {
            assertThat(folder.stays(root.resolve(gone))).describedAs(gone).isNull();
        }
        assertThat(folder.stays(root.resolve("a/b/inner"))).hasMessageEndingWith("inner is there again");
        for (String link : List.of("link", "link/inner", "link/b/none", "dangling", "dangling/x")) {
            assertThat(folder.stays(root.resolve(link)))
                    .describedAs(link)
                    .hasMessageContaining(root.resolve(link.replaceAll("/.*", "")) + " is a link");
        }
        assertThat(new LocalFolder(root.resolve("top")).stays(root.resolve("top/x")))
                .hasMessageEndingWith("top is a folder no longer");
    }
}

package io.stowline.blob.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.blob.internal.folder.LocalFile.FileKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FolderWalkTest {

    /** Neighbours of the slash, letters in both cases, one behind the surrogates, and one that surrogates make. */
    private static final String[] SEGMENTS = {"a", "a!", "a-", "a.", "a0", "A", "b", "\uFF01", "\uD83D\uDE00", "ab", "~"
    };

    @TempDir
    private Path root;

    private static List<String> names(FolderWalk walk, int chunk) throws IOException {
        List<String> names = new ArrayList<>();
        for (List<LocalFile> next = walk.next(chunk); !next.isEmpty(); next = walk.next(chunk)) {
            assertThat(next).hasSizeLessThanOrEqualTo(chunk);
            next.forEach(file -> names.add(file.name()));
        }
        return names;
    }

    private void file(String name) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, name);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20L * Integer.getInteger("stowline.explore", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("full names come in the order of their characters, whatever number of them is kept at a time")
    void order(long seed) throws IOException {
        Random random = new Random(seed);
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 40; i++) {
            StringBuilder name = new StringBuilder(SEGMENTS[random.nextInt(SEGMENTS.length)]);
            while (random.nextInt(3) > 0) {
                name.append('/').append(SEGMENTS[random.nextInt(SEGMENTS.length)]);
            }
            Path path = root.resolve(name.toString());
            if (isFree(path)) {
                file(name.toString());
                expected.add(name.toString());
            }
        }

        List<String> names =
                names(new FolderWalk(new LocalFolder(root), 1 + random.nextInt(12)), 1 + random.nextInt(9));

        assertThat(names).containsExactlyElementsOf(expected);
    }

    private boolean isFree(Path path) {
        for (Path parent = path.getParent(); !parent.equals(root); parent = parent.getParent()) {
            if (Files.isRegularFile(parent)) {
                return false;
            }
        }
        return Files.notExists(path);
    }

    @Test
    @DisplayName("a folder is read while its files vanish and come, and what stays comes once")
    void changesMeanwhile() throws IOException {
        for (int i = 100; i < 200; i++) {
            file("f" + i);
        }
        FolderWalk walk = new FolderWalk(new LocalFolder(root), 10);
        List<String> names = new ArrayList<>();
        walk.next(15).forEach(file -> names.add(file.name()));
        Files.delete(root.resolve("f150"));
        file("a-late-one");
        file("f1505");
        names.addAll(names(walk, 7));

        assertThat(names)
                .hasSize(100)
                .doesNotHaveDuplicates()
                .isSorted()
                .contains("f1505")
                .doesNotContain("f150");
    }

    @Test
    @DisplayName("links are found and not followed, and parts of transfers are left out")
    void linksAndParts() throws IOException {
        file("real/x");
        file(".stowline-1.part");
        Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));
        Files.createSymbolicLink(root.resolve("loop"), root);

        List<LocalFile> found = new FolderWalk(new LocalFolder(root)).next(100);

        assertThat(found).extracting(LocalFile::name).containsExactly("link", "loop", "real/x");
        assertThat(found).extracting(LocalFile::kind).containsExactly(FileKind.OTHER, FileKind.OTHER, FileKind.FILE);
    }

    @Test
    @DisplayName("a root that is missing, or a file, is an error")
    void rootThatIsNoFolder() throws IOException {
        file("x");

        assertThatThrownBy(() -> new FolderWalk(new LocalFolder(root.resolve("none"))).next(1))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> new FolderWalk(new LocalFolder(root.resolve("x"))).next(1))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    @DisplayName("an empty folder has no files")
    void emptyFolder() throws IOException {
        Files.createDirectories(root.resolve("a/b"));

        assertThat(new FolderWalk(new LocalFolder(root)).next(10)).isEmpty();
    }

    /** A file whose name has these bytes, given as in an address. */
    private void fileOfBytes(String encoded) throws IOException {
        Files.writeString(Path.of(URI.create(root.toUri() + encoded)), encoded);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100})
    @DisplayName("WORLD-5: each name without a text is an error alone, and hides no file whose name reads alike")
    void foreignBytes(int maxNames) throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding")).as("names are bytes").isEqualTo("UTF-8");
        assumeThat(root.getFileSystem().supportedFileAttributeViews()).contains("unix");
        fileOfBytes("f%FF");
        fileOfBytes("f%FE");
        fileOfBytes("f%EF%BF%BD");
        fileOfBytes("e");
        fileOfBytes("g");
        Files.createDirectory(Path.of(URI.create(root.toUri() + "f%FD")));

        FolderWalk walk = new FolderWalk(new LocalFolder(root), maxNames);
        List<LocalFile> found = new ArrayList<>();
        for (List<LocalFile> next = walk.next(2); !next.isEmpty(); next = walk.next(2)) {
            found.addAll(next);
        }

        assertThat(found)
                .extracting(LocalFile::name)
                .containsExactly("e", "f\uFFFD", "f\uFFFD", "f\uFFFD", "f\uFFFD", "g");
        assertThat(found)
                .filteredOn(file -> file.error() == null)
                .extracting(LocalFile::name)
                .containsExactly("e", "f\uFFFD", "g");
        assertThat(found)
                .filteredOn(file -> file.error() != null)
                .extracting(file -> file.error().getMessage())
                .anyMatch(message -> message.contains("f%FD"))
                .anyMatch(message -> message.contains("f%FE"))
                .anyMatch(message -> message.contains("f%FF"))
                .allMatch(message -> message.contains("encoding of this JVM, UTF-8"));
    }
}

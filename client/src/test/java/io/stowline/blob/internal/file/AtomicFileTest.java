package io.stowline.blob.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.stowline.blob.internal.file.AtomicFile.LastSteps;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The readers of a download's file. */
class AtomicFileTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void onlyWherePermissionsArePosix() {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    /** A file is not what a socket, a pipe or a device is for; a socket is what Java can make. */
    @Test
    @DisplayName("TRANSFER-2: a target that is no file is refused, and stays what it is")
    void refusesWhatIsNoFile() throws IOException {
        Path target = folder.resolve("s");
        Path link = Files.createSymbolicLink(folder.resolve("l"), target);
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(target));
            for (Path given : List.of(target, link)) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> AtomicFile.beside(given).close())
                        .withMessageStartingWith(given + " is a socket");
            }
            assertThat(Files.isRegularFile(target)).isFalse();
            assertThat(files()).containsExactlyInAnyOrder(target, link);
        }
    }

    @Test
    @DisplayName("TRANSFER-2: a target that becomes a pipe or a socket before the end stays one")
    void refusesWhatIsNoFileAtTheEnd() throws IOException {
        Path target = folder.resolve("s");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                AtomicFile part = AtomicFile.beside(target)) {
            part.write(new byte[] {1}, 1);
            socket.bind(UnixDomainSocketAddress.of(target));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(part::complete)
                    .withMessageStartingWith(target + " is a socket");
        }
        assertThat(files()).containsExactly(target);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-2: the target of a download keeps its mode, and the part is its owner's alone until then")
    @ValueSource(strings = {"rw-------", "rw-r-----", "r--------", "rwxrwxrwx"})
    void keepsTheMode(String mode) throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "before");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(mode));

        try (AtomicFile part = AtomicFile.beside(target)) {
            part.write(new byte[] {'a'}, 1);
            assertThat(files())
                    .filteredOn(file -> !file.equals(target))
                    .singleElement()
                    .satisfies(file -> assertThat(mode(file)).isEqualTo("rw-------"));
            part.complete();
        }

        assertThat(mode(target)).isEqualTo(mode);
        assertThat(Files.size(target)).isOne();
        assertThat(files()).containsExactly(target);
    }

    @Test
    @DisplayName("TRANSFER-2: a file gets its time while its mode still allows that, and is looked at last of all")
    void orderOfTheLastSteps() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "before");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("-w-------"));
        List<String> modes = new ArrayList<>();

        try (AtomicFile part = AtomicFile.beside(target)) {
            Path made = files().stream()
                    .filter(file -> !file.equals(target))
                    .findFirst()
                    .orElseThrow();
            part.complete(new LastSteps() {
                @Override
                public void prepare(Path given) throws IOException {
                    assertThat(given).isEqualTo(made);
                    modes.add(mode(made));
                }

                @Override
                public void check() throws IOException {
                    modes.add(mode(made));
                }
            });
        }

        assertThat(modes).containsExactly("rw-------", "-w-------");
    }

    @ParameterizedTest
    @DisplayName("TRANSFER-2: a part whose mode another program has changed gets that of its target or of a new file")
    @ValueSource(booleans = {true, false})
    void takesBackAnotherMode(boolean replaces) throws IOException {
        Path usual = Files.writeString(folder.resolve("usual"), "");
        Path target = folder.resolve("target");
        if (replaces) {
            Files.writeString(target, "before");
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
        }

        try (AtomicFile part = AtomicFile.beside(target)) {
            for (Path file : files()) {
                if (file.toString().endsWith(".part")) {
                    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
                }
            }
            part.complete();
        }

        assertThat(mode(target)).isEqualTo(replaces ? "rw-------" : mode(usual));
    }

    @Test
    @DisplayName("TRANSFER-2: a download to a new file gives it the mode of any new file of the process")
    void givesTheUsualMode() throws IOException {
        Path usual = Files.writeString(folder.resolve("usual"), "");
        Path target = folder.resolve("target");

        try (AtomicFile part = AtomicFile.beside(target)) {
            part.complete();
        }

        assertThat(mode(target)).isEqualTo(mode(usual));
        assertThat(files()).containsExactlyInAnyOrder(target, usual);
    }

    @Test
    @DisplayName("TRANSFER-2: what a link leads to keeps its mode")
    void keepsTheModeBehindALink() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "before");
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-------"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);

        try (AtomicFile part = AtomicFile.beside(link)) {
            part.complete();
        }

        assertThat(mode(target)).isEqualTo("rw-------");
        assertThat(link).isSymbolicLink();
    }

    @Test
    @DisplayName(
            "TRANSFER-2: a target has one path before and after it is there, so that its unfinished files are found")
    void onePath() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        List<Path> given = List.of(
                real.resolve("f"),
                link.resolve("f"),
                real.resolve("./f"),
                link.resolve("../real/f"),
                Path.of("").toAbsolutePath().relativize(real.resolve("f")));
        List<Path> before = new ArrayList<>();
        for (Path path : given) {
            before.add(AtomicFile.target(path));
        }
        Files.createFile(real.resolve("f"));

        assertThat(before).containsOnly(real.resolve("f").toRealPath());
        for (Path path : given) {
            assertThat(AtomicFile.target(path)).isEqualTo(before.get(0));
        }
    }

    @Test
    @DisplayName("TRANSFER-2: a link stays, and the file is made that it leads to, over other links")
    void followsALinkToNothing() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path second = Files.createSymbolicLink(other.resolve("second"), Path.of("target"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("other/second"));

        try (AtomicFile part = AtomicFile.beside(link)) {
            part.write(new byte[] {'a'}, 1);
            part.complete();
        }

        assertThat(other.resolve("target")).hasContent("a");
        assertThat(link).isSymbolicLink();
        assertThat(second).isSymbolicLink();
        assertThat(files()).containsExactlyInAnyOrder(link, other);
    }

    @Test
    @DisplayName("TRANSFER-2: a target that cannot be there is refused before anything is made")
    void refusesWhatCannotBe() throws IOException {
        Path circle = folder.resolve("circle");
        Files.createSymbolicLink(circle, circle);
        for (Path given : List.of(circle, folder.resolve("x".repeat(300)))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> AtomicFile.target(given))
                    .withMessageContaining(given.toString());
        }
        assertThat(files()).containsExactly(circle);
    }
}

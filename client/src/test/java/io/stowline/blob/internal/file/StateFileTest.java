package io.stowline.blob.internal.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StateFileTest {

    @TempDir
    Path folder;

    /** Another process, which says whether it could have the file. */
    static final class OtherProcess {

        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock(StateFile.LOCKED, 1, false)) {
                System.out.print(lock == null ? "taken" : "free");
            }
        }
    }

    private static String inAnotherProcess(Path file) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String stated = new String(process.getInputStream().readAllBytes(), US_ASCII);
        assertThat(process.waitFor()).isZero();
        return stated;
    }

    @Test
    @DisplayName("TRANSFER-2: no other process has the state of a download, however often this one looks at it")
    void keepsOtherProcessesOut() throws Exception {
        Path path = folder.resolve(".stowline-1.state");
        try (StateFile file = Objects.requireNonNull(StateFile.open(path, true))) {
            file.append("a line\n");
            assertThat(file.text()).endsWith("a line\n");
            assertThat(StateFile.open(path, true))
                    .as("a second download of this process")
                    .isNull();
            assertThat(StateFile.open(folder.resolve("a/..").resolve(path.getFileName()), false))
                    .as("the same by another path")
                    .isNull();

            assertThat(inAnotherProcess(path)).isEqualTo("taken");
        }
        assertThat(inAnotherProcess(path)).isEqualTo("free");
    }

    @Test
    @DisplayName("TRANSFER-2: a file whose channel an interrupt has closed is left to the next download")
    void interrupted() throws Exception {
        Path path = folder.resolve(".stowline-1.state");
        StateFile file = Objects.requireNonNull(StateFile.open(path, true));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> file.append("a line\n")).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        file.close();

        try (StateFile next = StateFile.open(path, false)) {
            assertThat(next).isNotNull();
            file.close();
            assertThat(StateFile.open(path, false)).as("the next one keeps it").isNull();
        }
    }

    @Test
    @DisplayName("TRANSFER-2: the next download has the file at once, with what is in it")
    void isHandedOn() throws Exception {
        Path path = folder.resolve(".stowline-1.state");
        assertThat(StateFile.open(path, false)).as("there is none").isNull();
        try (StateFile file = Objects.requireNonNull(StateFile.open(path, true))) {
            file.clear();
            file.append("torn");
        }
        try (StateFile file = Objects.requireNonNull(StateFile.open(path, false))) {
            assertThat(file.text().lines().toList())
                    .startsWith("torn")
                    .element(1)
                    .asString()
                    .startsWith("opened");
            file.delete();
        }
        assertThat(path).doesNotExist();
        try (StateFile file = Objects.requireNonNull(StateFile.open(path, true))) {
            file.delete();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    @DisplayName("TRANSFER-2: a look has the file of no download, and writes nothing to it")
    void looks() throws Exception {
        Path path = folder.resolve(".stowline-1.state");
        assertThat(StateFile.inspect(path)).as("there is none").isNull();
        try (StateFile file = Objects.requireNonNull(StateFile.open(path, true))) {
            file.clear();
            file.append("a line\n");
            assertThat(StateFile.inspect(path)).as("a download has it").isNull();
        }
        try (StateFile seen = Objects.requireNonNull(StateFile.inspect(path))) {
            assertThat(seen.text()).isEqualTo("a line\n");
            assertThat(inAnotherProcess(path)).isEqualTo("taken");
        }
        assertThat(path).hasContent("a line\n");
    }
}

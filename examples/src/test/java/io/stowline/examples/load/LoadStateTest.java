package io.stowline.examples.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.stowline.examples.shared.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadStateTest {

    private static final Checkpoint.Position FIRST = new Checkpoint.Position(1, 11, 2, 3, 4);
    private static final Checkpoint.Position SECOND = new Checkpoint.Position(5, 55, 6, 7, 8);

    @TempDir
    Path folder;

    @Test
    void findsTheLastPositionAgain() throws IOException {
        Path file = folder.resolve("checkpoint");
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            assertThat(checkpoint.position().rows()).isZero();
            checkpoint.save(FIRST);
            checkpoint.save(SECOND);
        }

        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            assertThat(checkpoint.position()).isEqualTo(SECOND);
            checkpoint.save(FIRST);
        }
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            assertThat(checkpoint.position()).isEqualTo(FIRST);
        }
    }

    @Test
    void goesBackToThePositionBeforeATornOne() throws IOException {
        Path file = folder.resolve("checkpoint");
        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            checkpoint.save(FIRST);
            checkpoint.save(SECOND);
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[10] ^= 1; // of the second, whose place is the first in the file
        Files.write(file, bytes);

        try (Checkpoint checkpoint = Checkpoint.open(file)) {
            assertThat(checkpoint.position()).isEqualTo(FIRST);
        }
    }

    @Test
    void isOfOneLoadAndGoneWithIt() throws IOException {
        Path state = folder.resolve("state");
        LoadState.open(state, List.of("load 1")).close();
        LoadState.open(state, List.of("load 1")).close();

        assertThatExceptionOfType(UsageException.class).isThrownBy(() -> LoadState.open(state, List.of("load 2")));
        LoadState.open(state, List.of("load 1")).remove();
        assertThat(state).doesNotExist();
    }

    @Test
    void takesRejectedRowsBackToTheCheckpoint() throws IOException {
        Path file = folder.resolve("rejected.csv");
        long length;
        try (RejectedRows rejects = RejectedRows.open(file, 0, 0)) {
            rejects.add("2", "no long", "a,b");
            length = rejects.length();
            rejects.add("3", "no long", "c,\"d");
        }
        try (RejectedRows rejects = RejectedRows.open(file, length, 1)) {
            assertThat(rejects.length()).isEqualTo(length);
            rejects.add("", "4 \"x\"", "é\nf");
            assertThat(rejects.count()).isEqualTo(2);
        }

        assertThat(file).hasContent("line,reason,row\n2,no long,\"a,b\"\n\"\",\"4 \"\"x\"\"\",\"é\nf\"\n");
    }

    @Test
    void keepsFilesThatAreNotItsOwn() throws IOException {
        Path file = Files.writeString(folder.resolve("precious.csv"), "line,something else\n");

        assertThatIOException().isThrownBy(() -> RejectedRows.open(file, 0, 0));
        assertThat(file).hasContent("line,something else\n");
    }

    @Test
    void leavesNoEmptyFile() throws IOException {
        Path file = folder.resolve("rejected.csv");
        RejectedRows.open(file, 0, 0).close();

        assertThat(file).doesNotExist();
    }
}

package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimeResolutionTest {

    @TempDir
    Path folder;

    static Stream<Arguments> fileSystems() {
        return Stream.of(
                Arguments.of("milliseconds", 0, (LongUnaryOperator) ms -> ms),
                Arguments.of("exFAT", 10, (LongUnaryOperator) ms -> ms / 10 * 10),
                Arguments.of("seconds, down", 1_000, (LongUnaryOperator) ms -> ms / 1_000 * 1_000),
                Arguments.of("seconds, up", 1_000, (LongUnaryOperator) ms -> (ms + 999) / 1_000 * 1_000),
                Arguments.of("FAT, down", 2_000, (LongUnaryOperator) ms -> ms / 2_000 * 2_000),
                Arguments.of("FAT, up", 2_000, (LongUnaryOperator) ms -> (ms + 1_999) / 2_000 * 2_000));
    }

    private static TimeResolution found(LongUnaryOperator fileSystem) throws IOException {
        return TimeResolution.of(time -> Instant.ofEpochMilli(fileSystem.applyAsLong(time.toEpochMilli())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fileSystems")
    @DisplayName("the time that a file system makes of another one is the same, and one that is a step away is not")
    void steps(String name, long millis, LongUnaryOperator fileSystem) throws IOException {
        TimeResolution times = found(fileSystem);

        assertThat(times.millis()).isEqualTo(millis);
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            Instant given = Instant.ofEpochMilli(1_500_000_000_000L + random.nextLong(1L << 40));
            Instant kept = Instant.ofEpochMilli(fileSystem.applyAsLong(given.toEpochMilli()));
            assertThat(times.same(given, kept)).isTrue();
            assertThat(times.same(given, kept.plusMillis(2 * millis + 1))).isFalse();
        }
    }

    @Test
    @DisplayName("a file system that keeps no times takes none for another")
    void noTimes() throws IOException {
        assertThat(found(ms -> 0)).isEqualTo(TimeResolution.EXACT);
    }

    @Test
    @DisplayName("times too far apart for milliseconds differ")
    void farTimes() {
        assertThat(TimeResolution.EXACT.same(Instant.MIN, Instant.MAX)).isFalse();
        assertThat(TimeResolution.EXACT.same(Instant.MAX, Instant.EPOCH)).isFalse();
        assertThat(TimeResolution.EXACT.same(Instant.MAX, Instant.MAX)).isTrue();
    }

    @Test
    @DisplayName("the folder of a download finds out how exactly its files keep their times")
    void ofTheTarget() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        FolderTarget target = new FolderTarget(folder);
        target.make();

        assertThat(target.times()).isEqualTo(TimeResolution.of(file));
    }
}

package io.stowline.blob.internal.folder;

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

    static Stream<Arguments> ranges() {
        return Stream.of(
                Arguments.of("ext3", "1901-12-13T20:45:52Z", "2038-01-19T03:14:07Z", 0),
                Arguments.of("32 bits", "1901-12-13T20:45:52Z", "2038-01-19T03:14:07Z", 1_000),
                Arguments.of("FAT", "1980-01-01T00:00:00Z", "2107-12-31T23:59:58Z", 2_000));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ranges")
    @DisplayName("the end of the range that a file system keeps is the same as a time beyond it, and no other is")
    void beyondTheRange(String name, Instant first, Instant last, int step) throws IOException {
        long round = Math.max(1, step);
        TimeResolution times = found(
                ms -> Math.max(first.toEpochMilli(), Math.min(last.toEpochMilli(), Math.floorDiv(ms, round) * round)));

        assertThat(times).isEqualTo(new TimeResolution(step, first, last));
        assertThat(times.same(Instant.parse("1850-01-01T00:00:00Z"), first)).isTrue();
        assertThat(times.same(Instant.parse("2500-01-01T00:00:00Z"), last)).isTrue();
        assertThat(times.same(Instant.MAX, last)).isTrue();
        assertThat(times.same(Instant.parse("2500-01-01T00:00:00Z"), first)).isFalse();
        assertThat(times.same(Instant.parse("2500-01-01T00:00:00Z"), Instant.EPOCH))
                .isFalse();
        assertThat(times.same(Instant.parse("2020-01-01T00:00:00Z"), last)).isFalse();
    }

    @Test
    @DisplayName(
            "a time beyond what the JDK can set is the end of that range, and equal times are the same in any range")
    void beyondTheJdk() {
        Instant early = Instant.parse("0800-12-25T00:00:00Z");
        Instant late = Instant.parse("2500-01-01T00:00:00Z");
        for (Instant time : new Instant[] {early, late}) {
            assertThat(TimeResolution.EXACT.same(time, TimeResolution.storable(time)))
                    .isTrue();
            assertThat(TimeResolution.EXACT.same(time, time)).isTrue();
        }
        assertThat(TimeResolution.EXACT.same(early, TimeResolution.storable(late)))
                .isFalse();
        assertThat(TimeResolution.storable(Instant.EPOCH)).isEqualTo(Instant.EPOCH);
    }

    @Test
    @DisplayName(
            "a file system that refuses times beyond its range, or keeps others in their place, has no end for them")
    void otherRanges() throws IOException {
        assertThat(TimeResolution.of(time -> {
                    if (time.isBefore(Instant.EPOCH)) {
                        throw new IOException("refused");
                    }
                    return Instant.ofEpochSecond((int) time.getEpochSecond(), time.getNano());
                }))
                .isEqualTo(TimeResolution.EXACT);
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

package io.stowline.blob.internal.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The steps in which a file system keeps the times of files, found by what it gives back: a millisecond or less, or the whole and the two
 * seconds of FAT, of archives and of some network shares. Immutable.
 *
 * @param millis by how much the time of a file may differ from the one that it was given
 */
record TimeResolution(long millis) {

    static final TimeResolution EXACT = new TimeResolution(0);

    /** Just above an even second and just below one, so that whatever rounds moves one of them far, up or down. */
    private static final List<Instant> PROBES =
            List.of(Instant.ofEpochMilli(1_700_000_000_013L), Instant.ofEpochMilli(1_700_000_001_987L));

    /** The steps of exFAT, of whole seconds and of FAT, in milliseconds. */
    private static final List<Long> STEPS = List.of(0L, 10L, 1_000L, 2_000L);

    /** A file that is given a time. */
    @FunctionalInterface
    interface Probe {

        /** The time that the file has after it was given one. */
        Instant given(Instant time) throws IOException;
    }

    /** The resolution of the file system of a file, whose time is changed. */
    static TimeResolution of(Path file) throws IOException {
        return of(time -> {
            Files.setLastModifiedTime(file, FileTime.from(time));
            return Files.getLastModifiedTime(file).toInstant();
        });
    }

    /** The least step that explains what became of the probes. Where none does, times are not kept, and none is taken for another. */
    static TimeResolution of(Probe probe) throws IOException {
        long largest = 0;
        for (Instant time : PROBES) {
            largest = Math.max(largest, distance(probe.given(time), time));
        }
        for (long step : STEPS) {
            if (largest <= step) {
                return new TimeResolution(step);
            }
        }
        return EXACT;
    }

    /** Returns whether a file has the time that it was given, as far as its file system keeps it. */
    boolean same(Instant given, Instant kept) {
        return distance(given, kept) <= millis;
    }

    private static long distance(Instant one, Instant other) {
        Duration distance = Duration.between(one.truncatedTo(ChronoUnit.MILLIS), other.truncatedTo(ChronoUnit.MILLIS));
        try {
            return Math.abs(distance.toMillis());
        } catch (ArithmeticException beyond) {
            return Long.MAX_VALUE;
        }
    }
}

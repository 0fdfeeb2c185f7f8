package io.stowline.blob.internal.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The times that a file system keeps of files, found by what it gives back. Its steps are a millisecond or less, or the whole and the two
 * seconds of FAT, of archives and of some network shares. In place of a time beyond its range many a file system keeps the end of the range,
 * such as 1901 of ext4 and 2107 of FAT. Immutable.
 *
 * @param millis by how much the time of a file may differ from the one that it was given
 * @param first what it keeps in place of earlier times; the earliest time of all if it keeps them or none
 * @param last what it keeps in place of later times; the latest time of all if it keeps them or none
 */
public record TimeResolution(long millis, Instant first, Instant last) {

    public static final TimeResolution EXACT = new TimeResolution(0, Instant.MIN, Instant.MAX);

    /** Just above an even second and just below one, so that whatever rounds moves one of them far, up or down. */
    private static final List<Instant> PROBES =
            List.of(Instant.ofEpochMilli(1_700_000_000_013L), Instant.ofEpochMilli(1_700_000_001_987L));

    /** The range of nanoseconds in 64 bits: the JDK gives a file 1970 in place of earlier times. */
    private static final Instant EARLIEST = Instant.parse("1677-09-22T00:00:00Z");

    private static final Instant LATEST = Instant.parse("2262-04-11T00:00:00Z");

    /** Two of each kind: a file system that keeps the end of its range keeps one time in place of both. */
    private static final List<Instant> EARLY = List.of(EARLIEST, Instant.parse("1800-01-01T00:00:00Z"));

    private static final List<Instant> LATE = List.of(LATEST, Instant.parse("2240-01-01T00:00:00Z"));

    /** The steps of exFAT, of whole seconds and of FAT, in milliseconds. */
    private static final List<Long> STEPS = List.of(0L, 10L, 1_000L, 2_000L);

    /** A file that is given a time. */
    @FunctionalInterface
    interface Probe {

        /** Returns the time of the file after this one was set. */
        Instant given(Instant time) throws IOException;
    }

    /** Returns the resolution of the file system of a file, whose time is changed. */
    static TimeResolution of(Path file) throws IOException {
        return of(time -> {
            Files.setLastModifiedTime(file, FileTime.from(time));
            return Files.getLastModifiedTime(file).toInstant();
        });
    }

    /** Returns the smallest step that explains the times of the probes. */
    static TimeResolution of(Probe probe) throws IOException {
        long largest = 0;
        for (Instant time : PROBES) {
            largest = Math.max(largest, distance(probe.given(time), time));
        }
        for (long step : STEPS) {
            if (largest <= step) {
                return new TimeResolution(
                        step,
                        Objects.requireNonNullElse(end(probe, EARLY, step), Instant.MIN),
                        Objects.requireNonNullElse(end(probe, LATE, step), Instant.MAX));
            }
        }
        return EXACT;
    }

    /** Returns the one time that is kept in place of both, or {@code null}. */
    private static @Nullable Instant end(Probe probe, List<Instant> beyond, long step) {
        try {
            Instant kept = probe.given(beyond.get(0));
            return distance(kept, beyond.get(0)) > step && kept.equals(probe.given(beyond.get(1))) ? kept : null;
        } catch (IOException refused) {
            // Such a time is kept nowhere, so that no file is compared with it.
            return null;
        }
    }

    /** Returns whether a file has the time that it was given, as far as its file system keeps it. */
    public boolean same(Instant given, Instant kept) {
        return distance(given, kept) <= millis || distance(within(first, storable(given), last), kept) <= millis;
    }

    /** Returns the time that a file is given for another one, which may be beyond what the JDK can set. */
    public static Instant storable(Instant time) {
        return within(EARLIEST, time, LATEST);
    }

    private static Instant within(Instant first, Instant time, Instant last) {
        if (time.isBefore(first)) {
            return first;
        }
        return time.isAfter(last) ? last : time;
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

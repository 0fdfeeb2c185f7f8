package io.stowline.records.internal.name;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The folders of years, months, days and hours that have the blobs of a span of time. Stateless. */
public final class TimeFolders {

    /** The part of a folder's parts from which on the folder is listed, and not its parts. */
    private static final int SHARE = 3;

    /** The years from which on all folders are listed. */
    private static final int YEARS = 5;

    private TimeFolders() {}

    /** The levels of folders, each behind that of its parts. */
    private enum Level {
        HOUR("uuuu/MM/dd/HH/", ChronoUnit.HOURS, null, 0),
        DAY("uuuu/MM/dd/", ChronoUnit.DAYS, HOUR, 24),
        MONTH("uuuu/MM/", ChronoUnit.MONTHS, DAY, 30),
        YEAR("uuuu/", ChronoUnit.YEARS, MONTH, 12);

        private final DateTimeFormatter name;
        private final ChronoUnit unit;
        private final @Nullable Level part;
        private final int parts;

        Level(String pattern, ChronoUnit unit, @Nullable Level part, int parts) {
            this.name = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
            this.unit = unit;
            this.part = part;
            this.parts = parts;
        }
    }

    /**
     * Returns few folders that have all blobs whose intervals begin in a span, and others.
     *
     * @param from the begin of the span
     * @param to its end, which it does not have
     * @return the folders in the order of time, without overlap, each with a slash at its end; an empty text for all folders
     */
    public static List<String> covering(Instant from, Instant to) {
        List<String> folders = new ArrayList<>();
        if (from.isBefore(to)) {
            LocalDateTime begin = LocalDateTime.ofInstant(from, ZoneOffset.UTC);
            LocalDateTime end = LocalDateTime.ofInstant(to, ZoneOffset.UTC);
            if (end.getYear() - begin.getYear() >= YEARS) {
                return List.of("");
            }
            for (LocalDateTime year = yearOf(begin); year.isBefore(end); year = year.plusYears(1)) {
                cover(Level.YEAR, year, begin, end, folders);
            }
        }
        return folders;
    }

    private static LocalDateTime yearOf(LocalDateTime time) {
        return LocalDateTime.of(time.getYear(), 1, 1, 0, 0);
    }

    private static void cover(
            Level level, LocalDateTime folder, LocalDateTime from, LocalDateTime to, List<String> folders) {
        Level part = level.part;
        List<LocalDateTime> begins = part == null ? List.of() : parts(level, part.unit, folder, from, to);
        if (part == null || begins.size() * SHARE >= level.parts) {
            folders.add(level.name.format(folder));
            return;
        }
        for (LocalDateTime begin : begins) {
            cover(part, begin, from, to, folders);
        }
    }

    /** Returns the parts of a folder that have a piece of the span. */
    private static List<LocalDateTime> parts(
            Level level, ChronoUnit unit, LocalDateTime folder, LocalDateTime from, LocalDateTime to) {
        LocalDateTime end = folder.plus(1, level.unit);
        List<LocalDateTime> parts = new ArrayList<>();
        for (LocalDateTime part = folder; part.isBefore(end); part = part.plus(1, unit)) {
            if (part.isBefore(to) && part.plus(1, unit).isAfter(from)) {
                parts.add(part);
            }
        }
        return parts;
    }
}

package io.stowline.journal.internal.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of the files of a spool: a number, and an ending where they are kept for another reason than their delivery. */
final class SpoolNames {

    /** Ends the name of a file whose stream was refused for good. */
    static final String REJECTED = ".rejected";

    /** Ends the name of a file that is kept because it is damaged. */
    static final String DAMAGED = ".damaged";

    private static final Pattern NAME = Pattern.compile("spool\\.([0-9]{1,18})(\\.[a-z]+)?");

    private SpoolNames() {}

    static Path of(Path folder, long number) {
        return folder.resolve("spool." + number);
    }

    static Path with(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    /** Returns the files with an ending, the oldest first. */
    static NavigableMap<Long, Path> in(Path folder, String ending) throws IOException {
        NavigableMap<Long, Path> found = new TreeMap<>();
        try (var files = Files.list(folder)) {
            files.forEach(file -> {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches() && (name.group(2) == null ? "" : name.group(2)).equals(ending)) {
                    found.put(Long.parseLong(name.group(1)), file);
                }
            });
        }
        return found;
    }

    /** Returns the largest number of all files; kept ones count, so that a new name is not that of one of them. */
    static long last(Path folder) throws IOException {
        long last = 0;
        for (String ending : new String[] {"", REJECTED, DAMAGED}) {
            NavigableMap<Long, Path> files = in(folder, ending);
            last = files.isEmpty() ? last : Math.max(last, files.lastKey());
        }
        return last;
    }
}

package io.stowline.journal.internal.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Folders of journals, and what is in them. */
final class Folders {

    private Folders() {}

    static Path temporary() {
        try {
            return Files.createTempDirectory("journal");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A copy as a crash at this moment would leave it. */
    static Path copy(Path folder) {
        Path copy = temporary();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copy;
    }

    /** The only file of records. */
    static Path records(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".mv"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long size(Path folder) throws IOException {
        long size = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                size += Files.size(file);
            }
        }
        return size;
    }

    static Map<Long, String> contents(RecordJournal journal) {
        Map<Long, String> found = new TreeMap<>();
        journal.outstanding().forEach(id -> found.put(id, new String(journal.read(id), StandardCharsets.UTF_8)));
        return found;
    }

    static long append(RecordJournal journal, String text) {
        try {
            return journal.append(text.getBytes(StandardCharsets.UTF_8)).get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

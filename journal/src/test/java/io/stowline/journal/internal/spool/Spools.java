package io.stowline.journal.internal.spool;

import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.JournalBudget;
import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Spools without a journal around them, and records that end with a semicolon. */
final class Spools {

    static final long MAX_BYTES = 1024 * 1024;

    private Spools() {}

    static Spool open(Path folder, Durability durability, SpoolDisk disk) {
        return open(folder, durability, disk, MAX_BYTES);
    }

    static Spool open(Path folder, Durability durability, SpoolDisk disk, long maxBytes) {
        try {
            Path real = JournalFolder.of(folder, durability);
            return Spool.open(real, durability, new JournalBudget(real, maxBytes), disk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static long write(SpoolFile file, String record) {
        long mark = file.write(bytes(record + ";"));
        file.force(mark);
        return mark;
    }

    /** The records of a file. */
    static List<String> records(SpoolFile file) {
        String text = new String(file.content(), StandardCharsets.UTF_8);
        return text.isEmpty() ? List.of() : List.of(text.split(";"));
    }

    /** The records of all files that are found. */
    static List<String> found(Spool spool) {
        List<String> all = new ArrayList<>();
        spool.found().forEach(file -> all.addAll(records(file)));
        return all;
    }

    static List<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("spool.reserve"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies what a killed process leaves. */
    static void copy(Path folder, Path into) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.copy(file, into.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path temporary() {
        try {
            return Files.createTempDirectory("spool");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.stowline.journal.internal.store;

import io.stowline.journal.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Brings what the files of a folder hold into a new one. A file is written by the process only that made it, so that damage that is not
 * seen cannot spread to later commits. Whatever fails has changed nothing.
 */
final class JournalOpener {

    private final Path folder;
    private final String scheme;
    private final Durability durability;
    private List<String> damage = List.of();

    JournalOpener(Path folder, String scheme, Durability durability) {
        this.folder = folder;
        this.scheme = scheme;
        this.durability = durability;
    }

    /** What was found to be damaged, in words. */
    List<String> damage() {
        return damage;
    }

    JournalFile open() throws IOException {
        List<Path> files = JournalFile.in(folder);
        for (Path file : files) {
            JournalFolder.check(file);
        }
        JournalFile next = JournalFile.open(JournalFile.next(folder, files.isEmpty() ? null : files.get(0)), scheme);
        JournalRecovery recovery = new JournalRecovery(next);
        try {
            read(files, recovery);
            next.seal(recovery.purpose());
            if (durability == Durability.MACHINE) {
                JournalFolder.force(folder);
            }
        } catch (IOException | RuntimeException | Error e) {
            next.delete();
            throw e;
        }
        for (Path file : files) {
            if (recovery.isDamaged(file)) {
                Files.move(
                        file,
                        file.resolveSibling(file.getFileName() + ".damaged"),
                        StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(file);
            }
        }
        damage = recovery.report();
        return next;
    }

    /** Reads the newest file that is sealed; where something was ever committed there is one, or nothing may be touched. */
    private static void read(List<Path> files, JournalRecovery recovery) throws IOException {
        boolean committed = false;
        for (Path file : files) {
            if (recovery.read(file)) {
                return;
            }
            committed |= CommitFooter.lastOf(file) != null;
        }
        RuntimeException failure = recovery.failure();
        if (failure != null) {
            throw failure;
        }
        if (committed) {
            throw new IllegalStateException("no file in it is complete");
        }
    }
}

package io.stowline.journal.internal.store;

import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An opener that brings what the files of a folder hold into a new one. A file is written by the process only that made it, so that damage that is not
 * seen cannot spread to later commits. A file that was read whole is deleted, any other one is kept under another name. Whatever fails has
 * changed nothing.
 */
final class JournalOpener {

    /** The number of files that are kept of each kind; older ones are deleted. */
    static final int KEPT = 3;

    private final Path folder;
    private final JournalFolderLock owner;
    private final String scheme;
    private final Durability durability;
    private final List<String> damage = new ArrayList<>();

    JournalOpener(Path folder, JournalFolderLock owner, String scheme, Durability durability) {
        this.folder = folder;
        this.owner = owner;
        this.scheme = scheme;
        this.durability = durability;
    }

    /** Returns the torn, damaged or missing files in words. */
    List<String> damage() {
        return List.copyOf(damage);
    }

    JournalFile open() throws IOException {
        List<Path> files = JournalFile.in(folder);
        for (Path file : files) {
            JournalFolder.check(file);
        }
        JournalFile next = JournalFile.open(JournalFile.next(folder, named(files)), scheme);
        JournalRecovery recovery = new JournalRecovery(next, owner.hadRecords());
        try {
            read(files, recovery);
            next.seal(recovery.purpose());
            if (durability == Durability.MACHINE) {
                JournalFolder.force(folder);
            }
            if (files.isEmpty() && owner.hadRecords()) {
                damage.add("the folder has no file of records although it has held one: it was removed, and no record"
                        + " could be read");
            }
            owner.holdsRecords(durability);
        } catch (IOException | RuntimeException | Error e) {
            next.delete();
            throw e;
        }
        damage.addAll(recovery.report());
        try {
            clear(files, recovery.kept());
        } catch (IOException | RuntimeException | Error e) {
            next.close();
            throw e;
        }
        return next;
    }

    /** The numbers of all kinds of files count, so that a new name is not that of a kept one. */
    private List<Path> named(List<Path> files) throws IOException {
        List<Path> all = new ArrayList<>(files);
        for (String ending : JournalRecovery.ENDINGS) {
            all.addAll(JournalFile.in(folder, ending));
        }
        return all;
    }

    private void clear(List<Path> files, Map<Path, Path> kept) throws IOException {
        for (Path file : files) {
            Path name = kept.get(file);
            if (name == null) {
                Files.delete(file);
            } else {
                Files.move(file, name, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (String ending : JournalRecovery.ENDINGS) {
            List<Path> all = JournalFile.in(folder, ending);
            for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
                Files.delete(old);
                damage.add(old.getFileName() + " was deleted: of its kind, " + KEPT + " newer files are kept");
            }
        }
    }

    /** Reads the newest file that is sealed; where something was ever committed there is one, or nothing may be touched. */
    private static void read(List<Path> files, JournalRecovery recovery) throws IOException {
        boolean committed = false;
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (recovery.read(file)) {
                for (Path replaced : files.subList(i + 1, files.size())) {
                    recovery.examine(replaced);
                }
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

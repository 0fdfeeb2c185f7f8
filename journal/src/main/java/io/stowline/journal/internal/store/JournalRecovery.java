package io.stowline.journal.internal.store;

import io.stowline.journal.Durability;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads files, however damaged, into a new one: all records that are intact in the last complete commit, and where that one is damaged,
 * those of the commits before it, back to one that is whole. Of these, some may have been done since.
 */
final class JournalRecovery {

    private static final int RECORDS_A_COMMIT = 1_000;

    /** So many commits are taken off one by one; each look reads all that is outstanding, so that from then on the steps double. */
    private static final int ONE_BY_ONE = 100;

    private final JournalFile into;
    private final Set<Long> seen = new HashSet<>();
    private final Set<Long> seenRejected = new HashSet<>();
    private final Set<Long> lost = new TreeSet<>();
    private final Set<Path> damaged = new HashSet<>();
    private final List<String> report = new ArrayList<>();
    private @Nullable String purpose;
    private boolean sealed;
    private int looks;
    private @Nullable RuntimeException failure;

    JournalRecovery(JournalFile into) {
        this.into = into;
    }

    /** Why the last file that was read had nothing. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    @Nullable
    String purpose() {
        return purpose;
    }

    /** How often what is outstanding was read whole, one commit after the other, to find what is damaged. */
    int looks() {
        return looks;
    }

    /** Whether a file should be kept to be examined. */
    boolean isDamaged(Path file) {
        return damaged.contains(file);
    }

    List<String> report() {
        List<String> all = new ArrayList<>(report);
        lost.removeAll(seen);
        lost.removeAll(seenRejected);
        lost.forEach(id -> all.add("record " + id + " is damaged and lost"));
        return all;
    }

    /**
     * Reads one file.
     *
     * @return whether it had all that there was; a file without a seal was still being filled when the process ended, so that the one
     *     before it has everything
     */
    boolean read(Path file) throws IOException {
        sealed = false;
        if (Files.size(file) <= CommitFooter.HEADER) {
            return false;
        }
        RuntimeException unreadable = null;
        try {
            if (readLast(file, file)) {
                return sealed;
            }
        } catch (RuntimeException e) {
            unreadable = e;
        }
        int back = readBack(file);
        if (!sealed) {
            failure = unreadable;
            return false;
        }
        damaged.add(file);
        report.add(file.getFileName() + " is damaged and kept beside the journal; " + seen.size()
                + " records could be read"
                + (back == 0 ? "" : ", some of them as they were up to " + back + " commits before"));
        return sealed;
    }

    /** Takes one commit after the other off the end of a copy, until one can be read whole. */
    private int readBack(Path file) throws IOException {
        Path copy = file.resolveSibling("recovery.tmp");
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        try {
            int back = 0;
            looks = 0;
            int step = 1;
            for (CommitFooter last = CommitFooter.lastOf(copy); last != null; last = CommitFooter.lastOf(copy)) {
                try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                    channel.truncate(last.begin());
                }
                if (++back % step != 0) {
                    continue;
                }
                if (Files.size(copy) > CommitFooter.HEADER && isReadWhole(copy, file)) {
                    break;
                }
                step = ++looks < ONE_BY_ONE ? 1 : step * 2;
            }
            return back;
        } finally {
            Files.delete(copy);
        }
    }

    private boolean isReadWhole(Path copy, Path file) throws IOException {
        try {
            return readLast(copy, file);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Reads what the last complete commit holds; false when some of it is damaged. */
    private boolean readLast(Path from, Path file) throws IOException {
        try (JournalFile generation = JournalFile.read(from)) {
            if (generation.isTorn() && from.equals(file)) {
                report.add("the last commit of " + file.getFileName() + " is torn or was never finished");
            }
            if (!generation.isSealed()) {
                return false;
            }
            sealed = true;
            boolean[] whole = {true};
            purpose = purpose == null ? generation.purpose() : purpose;
            generation.forEach((framed, id) -> whole[0] &= take(id, framed));
            generation.forEachRejected((framed, id) -> whole[0] &= takeRejected(id, framed));
            into.commit(Durability.PROCESS);
            return whole[0];
        } catch (AssertionError damage) {
            // The store may say in any way that what it reads makes no sense.
            throw new IllegalStateException("the store cannot read " + file.getFileName(), damage);
        }
    }

    private boolean takeRejected(long id, byte[] framed) {
        if (ChecksummedRecord.read(id, framed) == null) {
            lost.add(id);
            return false;
        }
        if (!seen.contains(id) && seenRejected.add(id)) {
            into.putRejected(id, framed);
        }
        return true;
    }

    private boolean take(long id, byte[] framed) {
        if (ChecksummedRecord.read(id, framed) == null) {
            lost.add(id);
            return false;
        }
        if (!seenRejected.contains(id) && seen.add(id)) {
            into.put(id, framed);
            if (seen.size() % RECORDS_A_COMMIT == 0) {
                into.commit(Durability.PROCESS);
            }
        }
        return true;
    }
}

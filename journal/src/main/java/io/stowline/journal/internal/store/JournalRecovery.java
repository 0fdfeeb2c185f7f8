package io.stowline.journal.internal.store;

import io.stowline.journal.internal.folder.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A recovery that reads files, however damaged, into a new one. It takes all intact records of the last complete commit, and where that
 * one is damaged, those of the commits before it, back to one that is whole. Of these, some may have been done since.
 */
final class JournalRecovery {

    /** Ends the name of a file with a torn end, or that was never finished: a crash can leave it so. */
    private static final String TORN = ".torn";

    /** Ends the name of a file that no crash leaves. */
    private static final String DAMAGED = ".damaged";

    /** The endings of the names of kept files. */
    static final List<String> ENDINGS = List.of(TORN, DAMAGED);

    private static final int RECORDS_A_COMMIT = 1_000;

    /**
     * The number of commits that are taken off one by one. Each read takes in all outstanding records, so that from
     * then on the steps double.
     */
    private static final int ONE_BY_ONE = 100;

    private final JournalFile into;
    private final Set<Long> seen = new HashSet<>();
    private final Set<Long> seenRejected = new HashSet<>();
    private final Set<Long> lost = new TreeSet<>();
    private final Map<Path, Path> kept = new HashMap<>();
    private final Set<Path> empty = new HashSet<>();
    private final List<Path> unread = new ArrayList<>();
    private final boolean hadRecords;
    private final List<String> report = new ArrayList<>();
    private @Nullable String purpose;
    private boolean sealed;
    private JournalFile.Tail tail = JournalFile.Tail.NONE;
    private @Nullable Path complete;
    private int checks;
    private @Nullable RuntimeException failure;

    /**
     * Creates the recovery of a folder.
     *
     * @param into what the records go into
     * @param hadRecords whether a process has ever had a complete file in the folder; until then an unfinished one is no loss
     */
    JournalRecovery(JournalFile into, boolean hadRecords) {
        this.into = into;
        this.hadRecords = hadRecords;
    }

    /** Returns the reason why the last file gave no records. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    @Nullable
    String purpose() {
        return purpose;
    }

    /**
     * Returns the number of full reads of the outstanding records, one commit after the other, that found the damage.
     */
    int checks() {
        return checks;
    }

    /** Returns the kept files, with the names under which they are kept. */
    Map<Path, Path> kept() {
        Map<Path, Path> all = new HashMap<>(kept);
        unread.stream().filter(file -> !empty.contains(file)).forEach(file -> all.put(file, nameOfUnread(file)));
        return all;
    }

    List<String> report() {
        List<String> all = new ArrayList<>();
        for (Path file : unread) {
            all.add(file.getFileName()
                    + (empty.contains(file)
                            ? " is empty"
                            : " was never finished or has lost what it held, and is kept beside the journal as "
                                    + nameOfUnread(file).getFileName())
                    + (complete == null
                            ? "; no record of it could be read"
                            : "; " + complete.getFileName() + ", the one before, was read instead"));
        }
        all.addAll(report);
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
        RuntimeException unreadable = null;
        boolean whole = false;
        int back = 0;
        if (Files.size(file) > CommitFooter.HEADER) {
            try {
                whole = readLast(file, file);
            } catch (RuntimeException e) {
                unreadable = e;
            }
            back = whole ? 0 : readBack(file);
        }
        if (!sealed) {
            failure = unreadable;
            if (hadRecords || !isBegun(file)) {
                unread.add(file);
                if (Files.size(file) == 0) {
                    empty.add(file);
                }
            }
            return false;
        }
        complete = file;
        String readable = "; " + seen.size() + " records could be read";
        if (!whole) {
            keep(
                    file,
                    DAMAGED,
                    file.getFileName() + " is damaged",
                    readable + (back == 0 ? "" : ", some of them as they were up to " + back + " commits before"));
        } else if (tail == JournalFile.Tail.DAMAGED) {
            keep(file, DAMAGED, "the end of " + file.getFileName() + " is damaged", readable);
        } else if (tail == JournalFile.Tail.TORN) {
            keep(file, TORN, "the last commit of " + file.getFileName() + " is torn or was never finished", readable);
        }
        return true;
    }

    /**
     * Looks at a file that the one that was read has replaced. The process that made that one has ended before it deleted this one, or kept
     * it: it is kept unless it is whole.
     */
    void examine(Path file) throws IOException {
        if (Files.size(file) > 0 && !isComplete(file)) {
            keep(file, DAMAGED, file.getFileName() + ", which a later file has replaced, is torn or damaged", "");
        }
    }

    private static boolean isComplete(Path file) throws IOException {
        if (Files.size(file) <= CommitFooter.HEADER) {
            return false;
        }
        try (JournalFile replaced = JournalFile.read(file)) {
            boolean[] whole = {replaced.isSealed() && replaced.tail() == JournalFile.Tail.NONE};
            replaced.forEach((framed, id) -> whole[0] &= ChecksummedRecord.read(id, framed) != null);
            replaced.forEachRejected((framed, id) -> whole[0] &= ChecksummedRecord.read(id, framed) != null);
            return whole[0];
        } catch (RuntimeException | AssertionError damage) {
            return false;
        }
    }

    private void keep(Path file, String ending, String what, String then) {
        Path name = file.resolveSibling(file.getFileName() + ending);
        kept.put(file, name);
        report.add(what + "; the file is kept beside the journal as " + name.getFileName() + then);
    }

    /** The file before it has all records after a crash during the filling of a file. */
    private Path nameOfUnread(Path file) {
        return file.resolveSibling(file.getFileName() + (complete == null ? DAMAGED : TORN));
    }

    private static boolean isBegun(Path file) throws IOException {
        if (Files.size(file) > CommitFooter.HEADER) {
            return false;
        }
        try (InputStream begin = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String first = new String(begin.readNBytes(2), StandardCharsets.US_ASCII);
            return first.isEmpty() || first.equals("H:");
        }
    }

    /** Takes one commit after the other off the end of a copy, until one can be read whole. */
    private int readBack(Path file) throws IOException {
        Path copy = file.resolveSibling("recovery.tmp");
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, LinkOption.NOFOLLOW_LINKS);
        try {
            int back = 0;
            checks = 0;
            int step = 1;
            for (CommitFooter last = CommitFooter.lastOf(copy); last != null; last = CommitFooter.lastOf(copy)) {
                try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                    channel.truncate(last.begin());
                }
                if (++back % step != 0) {
                    continue;
                }
                if (Files.size(copy) > CommitFooter.HEADER && isReadCompletely(copy, file)) {
                    break;
                }
                step = ++checks < ONE_BY_ONE ? 1 : step * 2;
            }
            return back;
        } finally {
            Files.delete(copy);
        }
    }

    private boolean isReadCompletely(Path copy, Path file) throws IOException {
        try {
            return readLast(copy, file);
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Reads what the last complete commit holds; false when some of it is damaged. */
    private boolean readLast(Path from, Path file) throws IOException {
        try (JournalFile generation = JournalFile.read(from)) {
            if (from.equals(file)) {
                tail = generation.tail();
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
            // The store may signal in any way that what it reads makes no sense.
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

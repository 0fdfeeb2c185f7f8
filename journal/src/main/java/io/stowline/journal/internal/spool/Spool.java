package io.stowline.journal.internal.spool;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.FileIdentity;
import io.stowline.journal.internal.folder.JournalBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a journal, one file for each. Files that are left by a process or a user are found by the next one. Once a file in use is
 * no longer in the folder nothing more is written. Thread-safe.
 */
public final class Spool implements AutoCloseable {

    /** The number of files from which ended ones are closed until they are read. */
    private static final int MAX_OPEN = 64;

    private final Path folder;
    private final Durability durability;
    private final JournalBudget budget;
    private final SpoolDisk disk;
    private final FileIdentity identity;
    private final RejectedFiles rejected;
    private final SealReserve reserve;
    private final TreeMap<Long, SpoolFile> live = new TreeMap<>();
    private final List<Path> undeleted = new ArrayList<>();
    private final List<String> damage = new ArrayList<>();
    private List<SpoolFile> left = List.of();
    private long last;
    private boolean closing;
    private volatile @Nullable String lost;

    private Spool(Path folder, Durability durability, JournalBudget budget, SpoolDisk disk) throws IOException {
        this.folder = folder;
        this.durability = durability;
        this.budget = budget;
        this.disk = disk;
        this.identity = FileIdentity.of(folder);
        this.rejected = new RejectedFiles(folder, disk);
        this.reserve = new SealReserve(folder, disk);
    }

    /**
     * Opens the spool of a folder and reads what is in it.
     *
     * @param folder the folder, which this process alone has
     * @param budget the bytes of the journal
     */
    @SuppressWarnings("exports") // called by the journal
    public static Spool open(Path folder, Durability durability, JournalBudget budget, SpoolDisk disk)
            throws IOException {
        Spool spool = new Spool(folder, durability, budget, disk);
        spool.recover();
        return spool;
    }

    private synchronized void recover() throws IOException {
        SpoolRecovery recovery = new SpoolRecovery(folder, disk);
        last = SpoolNames.last(folder);
        for (Map.Entry<Long, SpoolRecovery.FoundSpoolFile> each :
                recovery.read().entrySet()) {
            byte[] head = each.getValue().scan().head();
            if (head != null) {
                SpoolFile file = SpoolFile.found(this, each.getKey(), head, each.getValue());
                budget.found(file.bytes());
                live.put(each.getKey(), file);
            }
        }
        recovery.countRejected(rejected);
        damage.addAll(recovery.report());
        List.copyOf(live.values()).stream().filter(file -> file.records() == 0).forEach(SpoolFile::delete);
        left = List.copyOf(live.values());
        if (!left.isEmpty()) {
            reserve.fillAgain();
        }
    }

    /**
     * Gives the room of the reserve to the opening of a journal on a full disk: only what is sent then makes room on it.
     *
     * @param folder the folder, which this process alone has
     * @return false if there was none
     */
    public static boolean spendReserve(Path folder) {
        return new SealReserve(folder, SpoolDisk.SYSTEM).spend();
    }

    /** Returns the files that earlier processes and users have left, the oldest first, once. All have records, and take none. */
    public synchronized List<SpoolFile> found() {
        List<SpoolFile> all = left;
        left = List.of();
        return all;
    }

    /**
     * Makes a file.
     *
     * @param head what the file is for
     * @throws JournalException if the disk refuses, or the journal is closed; a later call may succeed
     */
    public synchronized SpoolFile create(byte[] head) {
        if (closing) {
            throw cannot("written", "it is closed", null);
        }
        try {
            if (!identity.isInPlace()) {
                lose("the folder");
            }
            refuseWhereLost();
            undeleted.removeIf(this::isDeleted);
            reserve.fill();
            FrameFile frames = FrameFile.create(disk, SpoolNames.of(folder, ++last), head);
            SpoolFile file = SpoolFile.created(this, last, head.clone(), frames);
            live.put(last, file);
            return file;
        } catch (IOException e) {
            throw cannot("written", why(e), e);
        }
    }

    /** Gives the room of the reserve to a seal; false if there was none. */
    synchronized boolean spendReserve() {
        return lost == null && reserve.spend();
    }

    /** Takes back what a seal has left of the reserve. */
    synchronized void fillReserve() {
        if (lost == null) {
            reserve.fillAgain();
        }
    }

    private boolean isDeleted(Path file) {
        try {
            disk.delete(file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Takes a file out of the spool.
     *
     * @param ending the ending of the name under which it is kept; null to delete it
     * @return false if it is still there
     */
    synchronized boolean remove(SpoolFile file, @Nullable String ending) {
        live.remove(file.number(), file);
        budget.give(file.bytes());
        if (!file.frames().isInPlace()) {
            return true;
        }
        Path path = file.frames().path();
        try {
            if (ending == null) {
                disk.delete(path);
            } else {
                disk.move(path, SpoolNames.with(path, ending));
                kept(file, SpoolNames.with(path, ending));
            }
            if (durability == Durability.MACHINE) {
                disk.force(folder);
            }
            return true;
        } catch (IOException e) {
            SpoolFile.LOG.warn("journal {}: {} could not be deleted or moved", folder, path.getFileName(), e);
            if (ending == null) {
                undeleted.add(path);
            }
            return ending != null;
        }
    }

    private void kept(SpoolFile file, Path path) throws IOException {
        if (path.toString().endsWith(SpoolNames.REJECTED)) {
            rejected.add(file.number(), path, file.records(), file.frames().end());
        } else {
            SpoolRecovery.prune(folder, disk, damage);
        }
    }

    /** Takes all files from their user, for the next one to find. */
    public void release() {
        for (SpoolFile file : files()) {
            SpoolFile next = file.leave();
            synchronized (this) {
                if (next != null) {
                    live.put(next.number(), next);
                }
            }
        }
        synchronized (this) {
            left = List.copyOf(live.values());
        }
    }

    private synchronized List<SpoolFile> files() {
        return List.copyOf(live.values());
    }

    /** Ends all streams and gives all files up. */
    @Override
    public void close() {
        synchronized (this) {
            closing = true;
        }
        release();
        synchronized (this) {
            left = List.of();
        }
    }

    /** Returns the number of records that are not done. */
    public int records() {
        return files().stream().mapToInt(SpoolFile::records).sum();
    }

    /** Returns the number of records that were refused for good and are kept. */
    public synchronized int rejectedRecords() {
        return rejected.records();
    }

    /** Returns the number of rejected records that gave way to newer ones. */
    public synchronized long droppedRejections() {
        return rejected.dropped();
    }

    /** Returns the torn, damaged or missing files in words. */
    public synchronized List<String> damage() {
        return List.copyOf(damage);
    }

    DamagedSpoolException damage(String found) {
        SpoolFile.LOG.error("journal {}: {}", folder, found);
        synchronized (this) {
            if (!damage.contains(found)) {
                damage.add(found);
            }
        }
        return new DamagedSpoolException("in the journal " + folder + ", " + found);
    }

    /** Notes that a file or the folder is not the one that was opened. */
    synchronized void lose(String what) {
        if (lost == null) {
            String text = what + " was removed from " + folder
                    + " or replaced while it was in use; what is not done is in the memory of this process only."
                    + " Close the journal, and open it again";
            SpoolFile.LOG.error("journal {}: {}", folder, text);
            damage.add(text);
            lost = text;
        }
    }

    void refuseWhereLost() throws IOException {
        String text = lost;
        if (text != null) {
            throw new IOException(text);
        }
    }

    JournalException cannot(String done, String why, @Nullable Throwable cause) {
        return new JournalException("the journal " + folder + " cannot be " + done + ": " + why, cause);
    }

    static String why(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    synchronized boolean isCrowded() {
        return live.size() > MAX_OPEN;
    }

    Path folder() {
        return folder;
    }

    Durability durability() {
        return durability;
    }

    JournalBudget budget() {
        return budget;
    }

    long nanoTime() {
        return disk.nanoTime();
    }
}

package io.stowline.journal.internal.spool;

import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A recovery that reads the files of earlier processes. It cuts off a last frame that was never finished, and leaves out what is damaged;
 * all intact records around it count. A damaged file stays as it is. Whatever fails has changed nothing.
 */
final class SpoolRecovery {

    /** The number of damaged files that are kept; older ones are deleted. */
    static final int KEPT = 3;

    private final Path folder;
    private final SpoolDisk disk;
    private final List<String> report = new ArrayList<>();
    private final List<Path> unfinished = new ArrayList<>();
    private final List<Path> unreadable = new ArrayList<>();

    SpoolRecovery(Path folder, SpoolDisk disk) {
        this.folder = folder;
        this.disk = disk;
    }

    /**
     * A file of an earlier process.
     *
     * @param scan its contents; the head is there
     * @param file its frames
     */
    record FoundSpoolFile(SpoolScan scan, FrameFile file) {}

    /** Returns the torn and damaged files in words. */
    List<String> report() {
        return report;
    }

    /** Returns the files that can be read, by their numbers. */
    NavigableMap<Long, FoundSpoolFile> read() throws IOException {
        NavigableMap<Long, FoundSpoolFile> found = new TreeMap<>();
        for (Map.Entry<Long, Path> each : SpoolNames.in(folder, "").entrySet()) {
            JournalFolder.check(each.getValue());
            FoundSpoolFile file = read(each.getValue());
            if (file != null) {
                found.put(each.getKey(), file);
            }
        }
        for (Path file : unfinished) {
            disk.delete(file);
        }
        for (Path file : unreadable) {
            disk.move(file, SpoolNames.with(file, SpoolNames.DAMAGED));
        }
        found.values().forEach(this::cut);
        prune(folder, disk, report);
        return found;
    }

    private void cut(FoundSpoolFile found) {
        if (found.file().isUncut()) {
            found.file().cutAt(found.file().end());
            found.file().close();
        }
    }

    private @Nullable FoundSpoolFile read(Path path) throws IOException {
        String name = String.valueOf(path.getFileName());
        try (SpoolDisk.OpenFile file = disk.open(path, false)) {
            long size = file.size();
            byte[] prologue = new byte[FrameFormat.PROLOGUE];
            boolean complete = file.read(0, prologue, 0, prologue.length) == prologue.length;
            FrameFormat format = FrameFormat.of(prologue);
            SpoolScan scan = format == null ? null : SpoolScan.of(new FrameReader(file, format, size), SpoolScan.COUNT);
            if (!complete || (scan != null && scan.head() == null && scan.damagedAt() < 0)) {
                unfinished.add(path);
                report.add(name + " was never finished; no record was in it");
                return null;
            }
            if (format == null || scan == null || scan.head() == null) {
                unreadable.add(path);
                report.add("the begin of " + name + " is damaged; the file, of " + size + " bytes, is kept beside the"
                        + " journal as " + name + SpoolNames.DAMAGED + ", and no record of it could be read");
                return null;
            }
            describe(name, scan, size);
            return new FoundSpoolFile(scan, FrameFile.found(disk, path, format, scan.end(), scan.end() < size));
        }
    }

    private void describe(String name, SpoolScan scan, long size) {
        if (scan.damagedAt() >= 0) {
            report.add(name + " is damaged from byte " + scan.damagedAt() + " on, in " + scan.damagedBytes()
                    + " bytes; " + scan.records() + " records could be read, and the file is kept as " + name
                    + SpoolNames.DAMAGED + " when they are done");
        }
        if (scan.end() < size) {
            report.add("the end of " + name + " is torn: " + (size - scan.end()) + " bytes behind " + scan.records()
                    + " whole records were cut off");
        }
    }

    /** Deletes the damaged files that are too many. */
    static void prune(Path folder, SpoolDisk disk, List<String> report) throws IOException {
        NavigableMap<Long, Path> damaged = SpoolNames.in(folder, SpoolNames.DAMAGED);
        while (damaged.size() > KEPT) {
            Path oldest = damaged.pollFirstEntry().getValue();
            disk.delete(oldest);
            report.add(oldest.getFileName() + " was deleted: of its kind, " + KEPT + " newer files are kept");
        }
    }

    /** Reads the files of streams that were refused for good. */
    void countRejected(RejectedFiles rejected) throws IOException {
        for (Map.Entry<Long, Path> each :
                SpoolNames.in(folder, SpoolNames.REJECTED).entrySet()) {
            Path path = each.getValue();
            JournalFolder.check(path);
            try (SpoolDisk.OpenFile file = disk.open(path, false)) {
                byte[] prologue = new byte[FrameFormat.PROLOGUE];
                int unused = file.read(0, prologue, 0, prologue.length);
                FrameFormat format = FrameFormat.of(prologue);
                SpoolScan scan = format == null
                        ? null
                        : SpoolScan.of(new FrameReader(file, format, file.size()), SpoolScan.COUNT);
                rejected.add(each.getKey(), path, scan == null ? 0 : scan.records(), file.size());
            }
        }
    }
}

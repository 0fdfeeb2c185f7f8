package io.stowline.journal.internal.spool;

import io.stowline.journal.internal.folder.FileIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A file of frames, each of which is appended whole or not at all: a failed write is cut off again, at the latest before the next one. Not
 * safe for use by many threads, but for {@link #sync}.
 */
final class FrameFile {

    private final SpoolDisk disk;
    private final Path path;
    private final FileIdentity identity;
    private final FrameFormat format;
    private SpoolDisk.@Nullable OpenFile open;
    private long end;
    private boolean uncut;
    private boolean named;

    private FrameFile(SpoolDisk disk, Path path, FrameFormat format) throws IOException {
        this.disk = disk;
        this.path = path;
        this.identity = FileIdentity.of(path);
        this.format = format;
    }

    /** Makes a file with a head; a failure leaves none behind. */
    static FrameFile create(SpoolDisk disk, Path path, byte[] head) throws IOException {
        Random random = ThreadLocalRandom.current();
        SpoolDisk.OpenFile open = disk.create(path);
        try {
            FrameFile file = new FrameFile(disk, path, new FrameFormat(random.nextLong()));
            byte[] prologue = file.format.prologue();
            byte[] begin = new byte[FrameFormat.PROLOGUE + FrameFormat.OVERHEAD + head.length];
            System.arraycopy(prologue, 0, begin, 0, prologue.length);
            byte[] frame = file.format.frame(FrameFormat.PROLOGUE, FrameFormat.HEAD, head);
            System.arraycopy(frame, 0, begin, prologue.length, FrameFormat.OVERHEAD + head.length);
            open.write(0, begin, begin.length);
            file.open = open;
            file.end = begin.length;
            return file;
        } catch (IOException | RuntimeException | Error e) {
            try (open) {
                disk.delete(path);
            } catch (IOException remains) {
                e.addSuppressed(remains);
            }
            throw e;
        }
    }

    /**
     * Returns a file that was there, with the end that counts.
     *
     * @param uncut whether there are bytes behind the end
     */
    static FrameFile found(SpoolDisk disk, Path path, FrameFormat format, long end, boolean uncut) throws IOException {
        FrameFile file = new FrameFile(disk, path, format);
        file.end = end;
        file.uncut = uncut;
        return file;
    }

    Path path() {
        return path;
    }

    String name() {
        return String.valueOf(path.getFileName());
    }

    long end() {
        return end;
    }

    boolean isInPlace() {
        return identity.isInPlace();
    }

    boolean isOpen() {
        return open != null;
    }

    /** Returns whether there are bytes behind the end that could not be cut off. */
    boolean isUncut() {
        return uncut;
    }

    void append(byte kind, byte[] payload) throws IOException {
        SpoolDisk.OpenFile file = opened();
        cut();
        byte[] frame = format.frame(end, kind, payload);
        int length = FrameFormat.OVERHEAD + payload.length;
        boolean whole = false;
        try {
            file.write(end, frame, length);
            end += length;
            whole = true;
        } finally {
            if (!whole) {
                cutAt(end);
            }
        }
    }

    /** Cuts the file off, at once if the disk lets it and otherwise before the next write. */
    void cutAt(long position) {
        end = position;
        uncut = true;
        try {
            cut();
        } catch (IOException | RuntimeException later) {
            // The next write tries it once more, and the file says that it is not cut.
            uncut = true;
        }
    }

    /** Cuts off what is behind the end. */
    void cut() throws IOException {
        if (uncut) {
            opened().truncate(end);
            uncut = false;
        }
    }

    /** Waits until the disk has the file and its name. */
    void sync(SpoolDisk.OpenFile file) throws IOException {
        file.sync();
        if (!named) {
            disk.force(Objects.requireNonNull(path.getParent(), "folder"));
            named = true;
        }
    }

    /** Returns the file, open for writing. */
    SpoolDisk.OpenFile opened() throws IOException {
        SpoolDisk.OpenFile file = open;
        if (file == null) {
            file = disk.open(path, true);
            open = file;
        }
        return file;
    }

    /** Reads all frames; only the read needs the file to be open. */
    SpoolScan read(SpoolScan.RecordSink sink) throws IOException {
        SpoolDisk.OpenFile file = open;
        if (file != null) {
            return SpoolScan.of(new FrameReader(file, format, end), sink);
        }
        try (SpoolDisk.OpenFile once = disk.open(path, false)) {
            return SpoolScan.of(new FrameReader(once, format, end), sink);
        }
    }

    void shrink() {
        format.shrink();
    }

    /** Closes the file until it is used again; an error of it concerns nothing that was written. */
    void close() {
        SpoolDisk.OpenFile file = open;
        open = null;
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                SpoolFile.LOG.warn("{} could not be closed: {}", path, e.toString());
            }
        }
    }
}

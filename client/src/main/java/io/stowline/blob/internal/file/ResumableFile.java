package io.stowline.blob.internal.file;

import io.stowline.blob.internal.file.AtomicFile.FileModes;
import io.stowline.blob.internal.file.AtomicFile.LastSteps;
import io.stowline.blob.internal.file.DownloadState.SourceVersion;
import io.stowline.blob.internal.file.UnfinishedFiles.PartFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written in ranges, in any order, beside its target, and takes the place of the target when it is complete. A state file records
 * which ranges it has; both have names that follow from the target and the blob, so that another process finds them after a crash, and both
 * are their owner's alone. A lock on the state file keeps them to one download at a time.
 *
 * <p>Its methods read and write files. Safe for several threads that write different ranges.
 */
final class ResumableFile implements AutoCloseable {

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final Set<OpenOption> OLD =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private static final int BUFFER = 64 << 10;

    private final PartFiles names;
    private final DownloadState state;
    private final @Nullable StateFile lines;
    private final FileChannel content;
    private final @Nullable Object key;

    private final BitSet there = new BitSet();

    private ResumableFile(PartFiles names, DownloadState state, @Nullable StateFile lines, FileChannel content)
            throws IOException {
        this.names = names;
        this.state = state;
        this.lines = lines;
        this.content = content;
        this.key = key(names.part());
        state.finished().keySet().forEach(there::set);
    }

    /** Returns the rest of an earlier download, or {@code null} if none can be resumed or another download uses it. */
    static @Nullable ResumableFile resume(PartFiles names) throws IOException {
        if (!Files.exists(names.lines(), LinkOption.NOFOLLOW_LINKS)
                || !Files.exists(names.part(), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        StateFile lines = StateFile.open(names.lines(), false);
        if (lines == null) {
            return null;
        }
        FileChannel content = null;
        try {
            DownloadState state = DownloadState.parse(lines.text());
            if (state != null && FileModes.own(names.part())) {
                content = FileChannel.open(names.part(), OLD);
                cut(content, state.sourceVersion().length());
                return new ResumableFile(names, state, lines, content);
            }
        } catch (NoSuchFileException gone) {
            // Another download has finished it in between.
        } finally {
            if (content == null) {
                lines.close();
            }
        }
        return null;
    }

    /** Bytes that another process has added are no part of the blob; changed bytes show in the hashes of the ranges. */
    private static void cut(FileChannel content, long length) throws IOException {
        if (content.size() > length) {
            content.truncate(length);
        }
    }

    /** Returns a new file, or {@code null} if another download of the blob to this target has one. */
    static @Nullable ResumableFile create(PartFiles names, SourceVersion sourceVersion) throws IOException {
        StateFile lines = StateFile.open(names.lines(), true);
        if (lines == null) {
            return null;
        }
        try {
            lines.clear();
            Files.deleteIfExists(names.part());
            DownloadState state = new DownloadState(sourceVersion);
            lines.append(state.header());
            return created(names, state, lines);
        } catch (IOException | RuntimeException e) {
            removed(lines, e);
            throw e;
        }
    }

    private static void removed(StateFile lines, Exception error) {
        try {
            lines.delete();
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    /** Returns a new file that no other download knows of, and that cannot be resumed. */
    static ResumableFile alone(PartFiles names, SourceVersion sourceVersion) throws IOException {
        Path part = UnfinishedFiles.newPart(names.target());
        return created(new PartFiles(names.target(), part, names.lines()), new DownloadState(sourceVersion), null);
    }

    private static ResumableFile created(PartFiles names, DownloadState state, @Nullable StateFile lines)
            throws IOException {
        FileChannel content = FileChannel.open(names.part(), NEW, FileModes.ownerOnly(names.part()));
        boolean begun = false;
        try {
            ResumableFile made = new ResumableFile(names, state, lines, content);
            begun = true;
            return made;
        } finally {
            if (!begun) {
                content.close();
            }
        }
    }

    DownloadState state() {
        return state;
    }

    /** Writes all of some bytes to a position. */
    void write(long position, ByteBuffer bytes) throws IOException {
        for (long at = position; bytes.hasRemaining(); ) {
            at += content.write(bytes, at);
        }
    }

    /** Records a written range; once this has returned, another process can use it. */
    void finished(int index, CRC32C hash) throws IOException {
        if (lines != null) {
            lines.append(DownloadState.line(index, hex(hash)));
        }
        synchronized (there) {
            there.set(index);
        }
    }

    /** Returns the ranges that are in the file. */
    BitSet there() {
        synchronized (there) {
            return (BitSet) there.clone();
        }
    }

    /** Forgets the finished ranges that are not in the file as they were written, and returns how many bytes the others have. */
    long keepVerified() throws IOException {
        long kept = 0;
        for (int index : state.finished().keySet()) {
            if (holds(index)) {
                kept += state.sourceVersion().count(index);
            } else {
                synchronized (there) {
                    there.clear(index);
                }
            }
        }
        return kept;
    }

    private static String hex(CRC32C crc) {
        return HexFormat.of().toHexDigits(crc.getValue(), 8);
    }

    private boolean holds(int index) throws IOException {
        CRC32C crc = new CRC32C();
        String written = state.finished().get(index);
        return written != null && read(index, crc::update) && written.equals(hex(crc));
    }

    /** A receiver of the bytes of a file. */
    interface BytesReader {
        void take(ByteBuffer bytes) throws IOException;
    }

    /** Reads a range; false if the file ends before. */
    boolean read(int index, BytesReader reader) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        long at = state.sourceVersion().offset(index);
        long end = at + state.sourceVersion().count(index);
        while (at < end) {
            buffer.clear().limit((int) Math.min(BUFFER, end - at));
            int count = content.read(buffer, at);
            if (count <= 0) {
                return false;
            }
            reader.take(buffer.flip());
            at += count;
        }
        return true;
    }

    /** Reads the whole file, which another process may have cut. */
    void readAll(BytesReader reader) throws IOException {
        for (int index = 0; index < state.sourceVersion().ranges(); index++) {
            if (!read(index, reader)) {
                discard();
                throw changed();
            }
        }
    }

    private IOException changed() {
        return new IOException("another process has changed " + names.part()
                + ", the unfinished file, while the download wrote it; the next download begins from the start");
    }

    /**
     * Forces the content to the disk before the file gets its mode and its name. A file that another process has made
     * longer or shorter, or put in its place, is deleted.
     *
     * @param last an exception of it leaves the file as it is
     */
    void complete(LastSteps last) throws IOException {
        content.force(true);
        if (content.size() != state.sourceVersion().length() || !isStillHere()) {
            discard();
            throw changed();
        }
        content.close();
        last.prepare(names.part());
        new FileModes().hand(names.target(), names.part());
        last.check();
        Files.move(names.part(), names.target(), StandardCopyOption.ATOMIC_MOVE);
        forget();
    }

    private boolean isStillHere() throws IOException {
        try {
            return Objects.equals(key, key(names.part()));
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** The identity of a file; {@code null} where the file system has none. */
    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** Removes both files. */
    void discard() throws IOException {
        try {
            content.close();
        } finally {
            try {
                Files.deleteIfExists(names.part());
            } finally {
                forget();
            }
        }
    }

    private void forget() throws IOException {
        if (lines != null) {
            lines.delete();
        }
    }

    /** Leaves both files for another download, if they are of use to one. */
    @Override
    public void close() throws IOException {
        if (lines == null || there().isEmpty()) {
            discard();
        } else {
            try {
                content.close();
            } finally {
                lines.close();
            }
        }
    }
}

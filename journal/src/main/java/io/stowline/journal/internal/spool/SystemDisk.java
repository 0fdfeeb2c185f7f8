package io.stowline.journal.internal.spool;

import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The disk of the operating system. Its files are no channels: an interrupt of a thread that writes would close a channel under all
 * others.
 */
final class SystemDisk implements SpoolDisk {

    @Override
    public OpenFile create(Path file) throws IOException {
        JournalFolder.create(file);
        return new SystemFile(file, true);
    }

    @Override
    public OpenFile open(Path file, boolean writable) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        return new SystemFile(file, writable);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.delete(file);
    }

    @Override
    public void move(Path file, Path name) throws IOException {
        Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
    }

    /** A folder can be forced through a channel only, which an interrupt closes. */
    @Override
    public void force(Path folder) throws IOException {
        boolean interrupted = false;
        boolean forced = false;
        while (!forced) {
            interrupted |= Thread.interrupted();
            try {
                JournalFolder.force(folder);
                forced = true;
            } catch (ClosedByInterruptException e) {
                interrupted = true;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    private static final class SystemFile implements OpenFile {

        private final RandomAccessFile file;

        /** The position of the file; -1 if it is unknown. */
        private long at;

        SystemFile(Path path, boolean writable) throws IOException {
            this.file = new RandomAccessFile(path.toFile(), writable ? "rw" : "r");
        }

        @Override
        public long size() throws IOException {
            return file.length();
        }

        @Override
        public void write(long position, byte[] bytes, int length) throws IOException {
            seek(position);
            file.write(bytes, 0, length);
            at = position + length;
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            seek(position);
            int done = 0;
            for (int part = 0; done < length && part >= 0; done += Math.max(part, 0)) {
                part = file.read(into, offset + done, length - done);
            }
            at = position + done;
            return done;
        }

        private void seek(long position) throws IOException {
            boolean there = at == position;
            at = -1;
            if (!there) {
                file.seek(position);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            at = -1;
            file.setLength(size);
        }

        @Override
        public void sync() throws IOException {
            file.getFD().sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}

package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** The files of the operating system; none is opened through a link. Thread-safe. */
final class PrivateFiles implements DiskFiles {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    private record Used(Path file, FileTime at) {}

    @Override
    public List<Path> list(Path folder) throws IOException {
        List<Used> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                files.add(new Used(file, usedAt(file)));
            }
        }
        files.sort(Comparator.comparing(Used::at).thenComparing(Used::file));
        return files.stream().map(Used::file).toList();
    }

    private static FileTime usedAt(Path file) throws IOException {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return FileTime.fromMillis(0);
        }
    }

    @Override
    public Sink create(Path file) throws IOException {
        return new ChannelSink(writable(file, StandardOpenOption.CREATE_NEW));
    }

    static FileChannel writable(Path file, StandardOpenOption creation) throws IOException {
        Set<OpenOption> options = Set.of(creation, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return DiskCacheFolder.isPosix(file)
                ? FileChannel.open(file, options, OWNER_ONLY)
                : FileChannel.open(file, options);
    }

    @Override
    public DiskSource open(Path file) throws IOException {
        return new ChannelSource(
                AsynchronousFileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void touch(Path file) throws IOException {
        Files.setAttribute(file, "lastModifiedTime", FileTime.from(Instant.now()), LinkOption.NOFOLLOW_LINKS);
    }

    private record ChannelSink(FileChannel channel) implements Sink {

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            for (long at = position; bytes.hasRemaining(); ) {
                at += channel.write(bytes, at);
            }
        }

        @Override
        public void force() throws IOException {
            channel.force(true);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** A file channel, asynchronous because an interrupt closes a {@code FileChannel} under all of its readers, and each cancelled one interrupts. */
    private record ChannelSource(AsynchronousFileChannel channel) implements DiskSource {

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            long at = position;
            while (into.hasRemaining()) {
                int read = result(channel.read(into, at));
                if (read < 0) {
                    return;
                }
                at += read;
            }
        }

        private static int result(Future<Integer> read) throws IOException {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return read.get();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}

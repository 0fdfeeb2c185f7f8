package io.stowline.blob.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;

/** A file that takes the place and the mode of another when it is complete, and goes away when it is not. Until then it is its owner's alone. */
final class PartFile implements AutoCloseable {

    private static final Set<StandardOpenOption> NEW =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Path target;
    private final Path part;
    private final FileChannel channel;

    private PartFile(Path target, Path part, FileChannel channel) {
        this.target = target;
        this.part = part;
        this.channel = channel;
    }

    /** In the same folder, so that the renaming is one step; a link stays and what it leads to is replaced. */
    static PartFile beside(Path given) throws IOException {
        Path target = Files.exists(given) ? given.toRealPath() : given.toAbsolutePath();
        if (Files.isDirectory(target)) {
            throw new IOException(given + " is a folder");
        }
        Path part = target.resolveSibling(".stowline-" + UUID.randomUUID() + ".part");
        FileAttribute<?>[] mode = FileModes.ownerOnly(part.resolveSibling("."));
        return new PartFile(target, part, FileChannel.open(part, NEW, mode));
    }

    void write(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** What is in the file is on the disk before it gets its mode and its name. */
    void complete() throws IOException {
        channel.force(true);
        channel.close();
        FileModes.hand(target, part);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(part);
    }
}

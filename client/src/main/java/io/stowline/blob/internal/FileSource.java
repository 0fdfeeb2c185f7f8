package io.stowline.blob.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of the length that it had when it was opened. */
final class FileSource implements ByteSource {

    private final Path path;
    private final FileChannel channel;
    private final long length;
    private long position;

    FileSource(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.length = channel.size();
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public ByteBuffer read(int most) throws IOException {
        ByteBuffer next = ByteBuffer.allocate((int) Math.min(most, length - position));
        while (next.hasRemaining()) {
            int read = channel.read(next, position);
            if (read < 0) {
                throw changed();
            }
            position += read;
        }
        if (position == length && channel.size() != length) {
            throw changed();
        }
        return next.flip();
    }

    private IOException changed() throws IOException {
        return new IOException(
                path + " had " + length + " bytes when its upload began, and has " + channel.size() + " now");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

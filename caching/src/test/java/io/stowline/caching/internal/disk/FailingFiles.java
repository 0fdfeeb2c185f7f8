package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files of a disk that can be full, and of a process that can be killed: from one operation on nothing is done any more, and what was not
 * forced to the disk is lost in part.
 */
final class FailingFiles implements DiskFiles {

    private final DiskFiles files = new PrivateFiles();
    private final Map<Path, Long> notForced = new HashMap<>();
    private long room = Long.MAX_VALUE;
    private int operations;
    private int killedAt = Integer.MAX_VALUE;

    /** Leaves room for so many bytes from now on. */
    void room(long bytes) {
        room = bytes;
    }

    /** The operation, counted from 0, at which the process is killed. */
    void killAt(int operation) {
        killedAt = operation;
    }

    boolean isKilled() {
        return operations > killedAt;
    }

    private void step() throws IOException {
        if (operations++ >= killedAt) {
            throw new IOException("killed");
        }
    }

    /** Loses the bytes that were not forced, as a loss of power does. */
    void losePower() throws IOException {
        for (Map.Entry<Path, Long> each : notForced.entrySet()) {
            if (Files.exists(each.getKey())) {
                try (FileChannel channel = FileChannel.open(each.getKey(), StandardOpenOption.WRITE)) {
                    channel.truncate(each.getValue());
                }
            }
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return files.list(folder);
    }

    @Override
    public Sink create(Path file) throws IOException {
        step();
        Sink sink = files.create(file);
        notForced.put(file, 0L);
        return new Sink() {
            @Override
            public void write(ByteBuffer bytes, long position) throws IOException {
                boolean killed = operations >= killedAt;
                int half = (int) Math.min(room, killed ? bytes.remaining() / 2 : bytes.remaining());
                room -= half;
                sink.write(bytes.slice(bytes.position(), half), position);
                step();
                if (half < bytes.remaining()) {
                    throw new IOException("No space left on device");
                }
                bytes.position(bytes.limit());
            }

            @Override
            public void force() throws IOException {
                step();
                sink.force();
                notForced.remove(file);
            }

            @Override
            public void close() throws IOException {
                sink.close();
            }
        };
    }

    @Override
    public DiskSource open(Path file) throws IOException {
        step();
        return files.open(file);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        step();
        files.move(from, to);
        Long forced = notForced.remove(from);
        if (forced != null) {
            notForced.put(to, forced);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        step();
        files.delete(file);
        notForced.remove(file);
    }

    @Override
    public void touch(Path file) throws IOException {
        step();
        files.touch(file);
    }
}

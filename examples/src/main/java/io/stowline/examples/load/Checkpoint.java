package io.stowline.examples.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The position of a load, in a file that a {@code kill -9} cannot damage: two places are written in turn, each with a
 * checksum, and the newer whole one counts. Used by one thread.
 *
 * <p>The operating system has each position when {@link #save} returns. A crash of the machine may lose it.
 */
final class Checkpoint implements AutoCloseable {

    private static final int SLOT = 64;
    private static final int CONTENT = 6 * Long.BYTES;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(SLOT);
    private Position position = Position.START;
    private long sequence;

    /**
     * A position in the input.
     *
     * @param rows so many rows are in the journal, or rejected
     * @param digest the checksum over these rows
     * @param rejected so many rows are rejected
     * @param rejectedBytes the length of the file with them
     * @param reported the newest operation of the journal's rejected list that is in that file
     */
    record Position(long rows, long digest, long rejected, long rejectedBytes, long reported) {

        static final Position START = new Position(0, 0, 0, 0, 0);
    }

    private Checkpoint(FileChannel channel) {
        this.channel = channel;
    }

    static Checkpoint open(Path file) throws IOException {
        Checkpoint checkpoint = new Checkpoint(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        try {
            checkpoint.read(0);
            checkpoint.read(SLOT);
            return checkpoint;
        } catch (IOException e) {
            checkpoint.close();
            throw e;
        }
    }

    private void read(long slot) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, slot + buffer.position()) < 0) {
                return;
            }
        }
        buffer.flip();
        long number = buffer.getLong();
        Position found =
                new Position(buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong());
        if (buffer.getLong() == checksum() && number > sequence) {
            sequence = number;
            position = found;
        }
    }

    /** Returns the position that was saved last. */
    Position position() {
        return position;
    }

    void save(Position reached) throws IOException {
        buffer.clear();
        buffer.putLong(++sequence)
                .putLong(reached.rows)
                .putLong(reached.digest)
                .putLong(reached.rejected)
                .putLong(reached.rejectedBytes)
                .putLong(reached.reported);
        buffer.putLong(checksum()).clear();
        long slot = sequence % 2 * SLOT;
        while (buffer.hasRemaining()) {
            channel.write(buffer, slot + buffer.position());
        }
        position = reached;
    }

    private long checksum() {
        CRC32C checksum = new CRC32C();
        checksum.update(buffer.array(), 0, CONTENT);
        return checksum.getValue();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

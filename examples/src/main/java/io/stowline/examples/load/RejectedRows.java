package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.commons.csv.CSVFormat;

/**
 * The file of the rows that were not loaded: line, reason and row as CSV. A row is in the file when {@link #add} returns, also if the
 * process is killed then. There is no file without such a row. Used by one thread.
 */
final class RejectedRows implements AutoCloseable {

    private static final String HEADER = "line,reason,row\r\n";

    private final Path file;
    private final FileChannel channel;
    private long count;

    private RejectedRows(Path file, FileChannel channel, long count) {
        this.file = file;
        this.channel = channel;
        this.count = count;
    }

    /**
     * Opens the file, and takes out what was added after a checkpoint.
     *
     * @param file the file
     * @param length its length at the checkpoint; 0 for a new file
     * @param count how many rows it had then
     * @throws IOException if the file is not one of these, and would be overwritten
     */
    static RejectedRows open(Path file, long length, long count) throws IOException {
        if (Files.exists(file) && Files.size(file) > 0 && !begins(file)) {
            throw new IOException(file + " exists, and is no file of rejected rows");
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.truncate(length);
            channel.position(channel.size());
            return new RejectedRows(file, channel, count);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean begins(Path file) throws IOException {
        try (InputStream text = Files.newInputStream(file)) {
            return new String(text.readNBytes(HEADER.length()), UTF_8).equals(HEADER);
        }
    }

    /** Adds a row; {@code line} is empty if it is not known. */
    void add(String line, String reason, String row) throws IOException {
        String text = CSVFormat.DEFAULT.format(line, reason, row) + "\r\n";
        ByteBuffer bytes = UTF_8.encode(channel.position() == 0 ? HEADER + text : text);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        count++;
    }

    long count() {
        return count;
    }

    long length() throws IOException {
        return channel.position();
    }

    Path file() {
        return file;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (count == 0) {
            Files.deleteIfExists(file);
        }
    }
}

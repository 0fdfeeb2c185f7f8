package io.stowline.benchmarks.side.work;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The files that transfers read and write: in memory, where the system has a folder for that. The sources are made when they are first
 * needed. Closing it removes all.
 */
public final class TransferFiles implements AutoCloseable {

    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path root;
    private final BlobSizes sizes;

    /** Makes files of these sizes in a new folder. */
    public TransferFiles(BlobSizes sizes) throws IOException {
        this.sizes = sizes;
        this.root = Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "stowline-")
                : Files.createTempDirectory("stowline-");
    }

    /** Returns the long file. */
    public Path source() throws IOException {
        Path file = root.resolve("source.bin");
        if (Files.notExists(file)) {
            try (InputStream content = new ContentStream(sizes.fileMiB())) {
                Files.copy(content, file);
            }
        }
        return file;
    }

    /** Returns a file as an export writes it. */
    public Path cities(int rows) throws IOException {
        Path file = root.resolve(Cities.table(rows) + ".jsonl");
        if (Files.notExists(file)) {
            try (Writer out = Files.newBufferedWriter(file)) {
                for (int i = 0; i < rows; i++) {
                    out.write(Cities.line(rows, i));
                }
            }
        }
        return file;
    }

    /** Returns the directory of small files. */
    public Path sources() throws IOException {
        Path folder = root.resolve("sources");
        if (Files.notExists(folder)) {
            Files.createDirectory(folder);
            byte[] content = Arrays.copyOf(Blobs.CONTENT, Blobs.SMALL);
            for (int i = 0; i < sizes.blobs(); i++) {
                Files.write(folder.resolve(Blobs.smallName(i)), content);
            }
        }
        return folder;
    }

    /** Returns the names of the small files. */
    public List<String> names() {
        return IntStream.range(0, sizes.blobs()).mapToObj(Blobs::smallName).toList();
    }

    /** Returns a file to download to, in a folder of this contender. */
    public Path target(String contender) throws IOException {
        return targets(contender).resolve("target.bin");
    }

    /** Returns a directory to download to, of this contender alone. */
    public Path targets(String contender) throws IOException {
        return Files.createDirectories(root.resolve(contender));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package io.stowline.table.internal.format;

import io.stowline.error.StorageInterruptedException;
import io.stowline.table.Entity;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.transfer.PropertyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows of a table file, or of the files of an export by AzCopy one after the other. Not thread-safe. */
public final class TableFileRows implements AutoCloseable {

    private static final String MANIFEST = ".manifest";

    private final List<Path> files;
    private final Map<String, PropertyKind> declared;
    private TableFileReader reader;
    private int next = 1;

    private TableFileRows(List<Path> files, Map<String, PropertyKind> declared, TableFileReader reader) {
        this.files = files;
        this.declared = declared;
        this.reader = reader;
    }

    /**
     * Opens a file.
     *
     * @param file a table file, or a manifest of AzCopy 7.3, whose data files lie beside it
     * @param declared the declared types of columns, for CSV
     * @throws IOException if it cannot be read, or not all data files are there
     */
    public static TableFileRows open(Path file, Map<String, PropertyKind> declared) throws IOException {
        List<Path> files = files(file);
        return new TableFileRows(files, declared, TableFileReader.open(files.get(0), declared));
    }

    /** Returns whether a file is the manifest of an export by AzCopy. */
    public static boolean isManifest(Path file) {
        return String.valueOf(file.getFileName()).endsWith(MANIFEST);
    }

    /** Returns the files of rows: the file itself, or the data files of a manifest of AzCopy. */
    public static List<Path> files(Path file) throws IOException {
        if (!isManifest(file)) {
            return List.of(file);
        }
        String name = String.valueOf(file.getFileName());
        String prefix = name.substring(0, name.length() - MANIFEST.length()) + '_';
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException("the manifest " + file + " has no folder");
        }
        long wanted = dataFiles(file);
        try (Stream<Path> all = Files.list(folder)) {
            List<Path> found = all.filter(each -> {
                        String other = String.valueOf(each.getFileName());
                        return other.startsWith(prefix) && other.endsWith(".json");
                    })
                    .sorted()
                    .toList();
            if (found.isEmpty() || found.size() != wanted) {
                throw new IOException("the manifest " + name + " names " + wanted + " data files " + prefix
                        + "*.json, but there are " + found.size() + " beside it");
            }
            return found;
        }
    }

    private static long dataFiles(Path manifest) throws IOException {
        JsonCursor json = new JsonCursor(Files.readAllBytes(manifest));
        String count = null;
        for (boolean more = json.enter('{', '}'); more; more = json.more('}')) {
            String name = json.name();
            String value = json.scalar();
            count = name.equals("TotalDataFiles") ? value : count;
        }
        if (count == null || !count.matches("\\d{1,9}")) {
            throw new IOException("the manifest " + manifest.getFileName()
                    + " has no TotalDataFiles: it is not one of AzCopy 7.3; give the data file itself");
        }
        return Long.parseLong(count);
    }

    /**
     * Ends a pass over a file, which has no other wait.
     *
     * @throws StorageInterruptedException if the thread is interrupted
     */
    public static void refuseInterrupt(Path file) {
        if (Thread.currentThread().isInterrupted()) {
            throw new StorageInterruptedException(
                    "interrupted in a pass over the file " + file, new InterruptedException(), null);
        }
    }

    /** Returns the next row; {@code null} at the end. */
    public @Nullable FileRow next() throws IOException {
        refuseInterrupt(files.get(next - 1));
        FileRow row = reader.next();
        while (row == null && next < files.size()) {
            reader.close();
            reader = TableFileReader.open(files.get(next++), declared);
            row = reader.next();
        }
        return row;
    }

    /** Returns the entity of a row that is written as it stands; {@code null} if it is to be decoded. */
    public @Nullable FileEntity scanned(FileRow row) {
        return reader.scanned(row);
    }

    /** Returns the entity of a row; see {@link TableFileReader#entity}. */
    public Entity entity(FileRow row) throws IOException {
        return reader.entity(row);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}

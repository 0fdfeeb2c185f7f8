package io.stowline.table.internal.format;

import io.stowline.table.Entity;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first line of the manifest of an export, itself a line of a table file; a line with the count of each partition follows for each.
 *
 * @param file the name of the file that it describes
 * @param account the account
 * @param table the table
 * @param scope the part of the table, as text; empty for all
 * @param tool the version that wrote it
 * @param bytes the length of the file
 * @param rows the number of its rows
 * @param checksum the checksum of its rows, the same for every order
 * @param began when the export began, by the machine's clock
 * @param ended when it ended
 * @param oldest the earliest {@code Timestamp} of its rows, if there is one
 * @param newest the latest one
 */
public record TableManifest(
        String file,
        String account,
        String table,
        String scope,
        String tool,
        long bytes,
        long rows,
        String checksum,
        Instant began,
        Instant ended,
        @Nullable Instant oldest,
        @Nullable Instant newest) {

    private static final String PARTITION = "manifest";
    private static final int VERSION = 1;

    /** Returns the place of a file's manifest. */
    public static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".manifest");
    }

    /** Returns the entity that stands in the first line. */
    public Entity entity() {
        return Entity.builder(PARTITION, "")
                .set("File", file)
                .set("Version", VERSION)
                .set("Account", account)
                .set("Table", table)
                .set("Scope", scope)
                .set("Tool", tool)
                .set("Bytes", bytes)
                .set("Rows", rows)
                .set("Checksum", checksum)
                .set("Began", began)
                .set("Ended", ended)
                .set("Oldest", oldest)
                .set("Newest", newest)
                .build();
    }

    /** Returns the line of a partition's count. */
    public static Entity count(String partitionKey, long rows) {
        return Entity.read(partitionKey, "", Map.of("Rows", rows), null);
    }

    /**
     * Reads the manifest of a file.
     *
     * @return the manifest; {@code null} if there is none of this version
     * @throws IOException if it is that of a file of another length
     */
    public static @Nullable TableManifest of(Path file) throws IOException {
        Path manifest = beside(file);
        if (!Files.isRegularFile(manifest)) {
            return null;
        }
        try (BufferedReader lines = Files.newBufferedReader(manifest, StandardCharsets.UTF_8)) {
            String first = lines.readLine();
            Entity entity = first == null ? null : new EntityLines().entity(first.getBytes(StandardCharsets.UTF_8));
            if (entity == null
                    || !entity.partitionKey().equals(PARTITION)
                    || !Integer.valueOf(VERSION).equals(entity.get("Version"))) {
                return null;
            }
            TableManifest read = of(entity);
            long bytes = Files.size(file);
            if (read.bytes != bytes) {
                throw new IOException("the file " + file + " has " + bytes + " bytes, but its manifest " + manifest
                        + " has it with " + read.bytes + ": it is not complete, or has been changed; copy it again,"
                        + " or delete the manifest to read it as it stands");
            }
            return read;
        }
    }

    private static TableManifest of(Entity entity) {
        return new TableManifest(
                text(entity, "File"),
                text(entity, "Account"),
                text(entity, "Table"),
                text(entity, "Scope"),
                text(entity, "Tool"),
                number(entity, "Bytes"),
                number(entity, "Rows"),
                text(entity, "Checksum"),
                time(entity, "Began"),
                time(entity, "Ended"),
                entity.get("Oldest", Instant.class),
                entity.get("Newest", Instant.class));
    }

    private static String text(Entity entity, String name) {
        String value = entity.get(name, String.class);
        return value == null ? "" : value;
    }

    private static long number(Entity entity, String name) {
        Long value = entity.get(name, Long.class);
        return value == null ? -1 : value;
    }

    private static Instant time(Entity entity, String name) {
        Instant value = entity.get(name, Instant.class);
        return value == null ? Instant.EPOCH : value;
    }
}

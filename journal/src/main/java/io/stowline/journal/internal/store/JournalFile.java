package io.stowline.journal.internal.store;

import io.stowline.journal.internal.folder.Durability;
import io.stowline.journal.internal.folder.FileIdentity;
import io.stowline.journal.internal.folder.JournalFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.LongDataType;
import org.h2.mvstore.type.StringDataType;
import org.jspecify.annotations.Nullable;

/**
 * An append-only file of records: no commit overwrites an earlier one, so that an end that was never written or is torn
 * off takes nothing else with it. Not safe for use by many threads, but for {@link #get}.
 */
final class JournalFile implements AutoCloseable {

    /** Matches the names of set-aside files too, with their ending. */
    private static final Pattern NAME = Pattern.compile("records\\.([0-9]{1,18})\\.mv(\\.[a-z]+)?");

    private static final String SEALED = "sealed";
    private static final String PURPOSE = "purpose";
    private static final int CACHE_MIB = 4;

    private final Path file;
    private final FileIdentity identity;
    private final MVStore store;
    private final MVMap<Long, byte[]> records;
    private final MVMap<Long, byte[]> rejected;
    private final MVMap<String, String> metadata;

    private JournalFile(Path file, MVStore store) throws IOException {
        this.file = file;
        this.identity = FileIdentity.of(file);
        this.store = store;
        this.records = store.openMap("records", framed());
        this.rejected = store.openMap("rejected", framed());
        this.metadata = store.openMap(
                "facts",
                new MVMap.Builder<String, String>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(StringDataType.INSTANCE));
    }

    private static MVMap.Builder<Long, byte[]> framed() {
        return new MVMap.Builder<Long, byte[]>().keyType(LongDataType.INSTANCE).valueType(ByteArrayDataType.INSTANCE);
    }

    /**
     * Opens a new file.
     *
     * @param file the file, which is not there yet
     * @param scheme what comes before its name where it is not a plain file
     */
    static JournalFile open(Path file, String scheme) throws IOException {
        JournalFolder.create(file);
        try {
            return of(file, new MVStore.Builder().fileName(scheme + file));
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    /** Opens a file as its last complete commit left it, for reading only. */
    static JournalFile read(Path file) throws IOException {
        return of(file, new MVStore.Builder().fileName(file.toString()).readOnly());
    }

    private static JournalFile of(Path file, MVStore.Builder builder) throws IOException {
        MVStore store = builder.autoCommitDisabled().cacheSize(CACHE_MIB).open();
        try {
            // Space is never used again: what is not overwritten cannot be lost (h2database issues 2752 and 4083 are of
            // reused space).
            store.setReuseSpace(false);
            return new JournalFile(file, store);
        } catch (IOException | RuntimeException e) {
            store.closeImmediately();
            throw e;
        }
    }

    Path file() {
        return file;
    }

    /**
     * Returns whether the file still is in its folder, as the one that was opened: a removed file is written without an
     * error.
     */
    boolean isInPlace() {
        return identity.isInPlace();
    }

    /** Returns whether the file contains all that the one before it contained. */
    boolean isSealed() {
        return metadata.containsKey(SEALED);
    }

    void seal(@Nullable String purpose) {
        metadata.put(SEALED, "");
        if (purpose != null) {
            metadata.put(PURPOSE, purpose);
        }
        store.commit();
        store.sync();
    }

    @Nullable
    String purpose() {
        return metadata.get(PURPOSE);
    }

    void dedicate(String purpose) {
        metadata.put(PURPOSE, purpose);
        store.commit();
        store.sync();
    }

    byte @Nullable [] get(long id) {
        return records.get(id);
    }

    void put(long id, byte[] framed) {
        records.put(id, framed);
    }

    void remove(long id) {
        records.remove(id);
    }

    /** Keeps a record apart, as what was refused for good. */
    void putRejected(long id, byte[] framed) {
        rejected.put(id, framed);
    }

    void removeRejected(long id) {
        rejected.remove(id);
    }

    /** Shows the records that were refused for good, in the order of their ids. */
    void forEachRejected(ObjLongConsumer<byte[]> each) {
        show(rejected, each);
    }

    /** Puts all additions and removals since the last commit on disk together, or none of them. */
    void commit(Durability durability) {
        store.commit();
        if (durability == Durability.MACHINE) {
            store.sync();
        }
    }

    long size() {
        return store.getFileStore().size();
    }

    /**
     * Shows all records in the order of their ids, as they are stored.
     *
     * @throws MVStoreException if the file is damaged; what was shown before is what it holds
     */
    void forEach(ObjLongConsumer<byte[]> each) {
        show(records, each);
    }

    private static void show(MVMap<Long, byte[]> map, ObjLongConsumer<byte[]> each) {
        for (Cursor<Long, byte[]> at = map.cursor(null); at.hasNext(); ) {
            long id = at.next();
            each.accept(at.getValue(), id);
        }
    }

    /** Returns the kind of bytes behind the last complete commit. */
    Tail tail() throws IOException {
        CommitFooter last = CommitFooter.last(file);
        if (last == null) {
            return Files.size(file) > CommitFooter.HEADER ? Tail.TORN : Tail.NONE;
        }
        return last.version() == store.getCurrentVersion() ? Tail.NONE : Tail.DAMAGED;
    }

    /** The bytes behind the last complete commit of a file. */
    enum Tail {
        /** An end without further bytes. */
        NONE,
        /** The beginning of a commit, as a crash may leave it, or other bytes. */
        TORN,
        /** A commit that has its end, and is not what was written. */
        DAMAGED
    }

    /** Ends as a killed process would, so that there is one way to open only. */
    @Override
    public void close() {
        store.closeImmediately();
    }

    void delete() throws IOException {
        close();
        Files.delete(file);
    }

    /** Returns all files of the journal, the newest first. */
    static List<Path> in(Path folder) throws IOException {
        return in(folder, "");
    }

    /** Returns the files that are kept under the name with this ending, the newest first. */
    static List<Path> in(Path folder, String ending) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> number(file) > 0 && file.toString().endsWith(".mv" + ending))
                    .sorted((one, other) -> Long.compare(number(other), number(one)))
                    .toList();
        }
    }

    /** Returns the path after the newest of these files; the first one if there are none. */
    static Path next(Path folder, List<Path> before) {
        long last = before.stream().mapToLong(JournalFile::number).max().orElse(0);
        return folder.resolve("records." + (last + 1) + ".mv");
    }

    private static long number(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        return name.matches() ? Long.parseLong(name.group(1)) : 0;
    }
}

package io.stowline.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of a folder, on disk. A commit that fails leaves nothing behind: the store is opened anew for the next one, which first
 * takes back what the failed one may have written. Safe for use by many threads.
 */
final class RecordStore implements AutoCloseable {

    /** From this size on, and twice what is not done, a file gives way to a new one. */
    static final long ROTATE_AT = 64 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(RecordStore.class);
    private static final int RECORDS_A_COMMIT = 1_000;

    private final Path folder;
    private final String scheme;
    private final Durability durability;
    private final long rotateAt;
    private final List<String> damage = new ArrayList<>();
    private final List<Long> unwanted = new ArrayList<>();
    private @Nullable Generation generation;
    private long rotateFrom;

    RecordStore(Path folder, String scheme, Durability durability, long rotateAt) {
        this.folder = folder;
        this.scheme = scheme;
        this.durability = durability;
        this.rotateAt = rotateAt;
        this.rotateFrom = rotateAt;
    }

    /** A record and its id. */
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Numbered(long id, byte[] record) {}

    synchronized List<String> damage() {
        return List.copyOf(damage);
    }

    /** Shows all records that are intact, in the order of their ids. */
    synchronized void forEach(ObjLongConsumer<byte[]> each) throws IOException {
        generation().forEach(each);
    }

    synchronized byte @Nullable [] read(long id) throws IOException {
        byte[] framed = generation().get(id);
        return framed == null ? null : Framed.read(id, framed);
    }

    /** Gives the records to whom they are for, the first time; what they were given to. */
    synchronized String dedicate(String purpose) throws IOException {
        Generation current = generation();
        String before = current.purpose();
        if (before == null) {
            current.dedicate(purpose);
            return purpose;
        }
        return before;
    }

    /**
     * Writes records and forgets others, in one commit.
     *
     * @param added the records
     * @param done the ids of what is forgotten
     * @param live how many bytes are not done
     */
    synchronized void commit(List<Numbered> added, List<Long> done, long live) throws IOException {
        unwanted.addAll(done);
        try {
            Generation current = generation();
            for (Numbered each : added) {
                current.put(each.id(), Framed.of(each.id(), each.record()));
            }
            unwanted.forEach(current::remove);
            current.commit(durability);
            unwanted.clear();
        } catch (IOException | RuntimeException | Error e) {
            added.forEach(each -> unwanted.add(each.id()));
            abandon();
            throw e;
        }
        Generation current = generation;
        if (current != null && current.size() > rotateFrom + 2 * live) {
            rotate(current);
        }
    }

    /** Whatever fails here has lost nothing: the old file counts until the new one is sealed. */
    private void rotate(Generation old) {
        long size = old.size();
        Generation next = null;
        try {
            next = Generation.open(Generation.next(folder, old.file()), scheme);
            copy(old, next);
            next.seal(old.purpose());
            generation = next;
            old.close();
            rotateFrom = rotateAt;
            Files.delete(old.file());
        } catch (IOException | RuntimeException e) {
            LOG.warn("the journal {} could not give up {}", folder, old.file().getFileName(), e);
            if (generation == old) {
                rotateFrom = size + rotateAt;
                abandon();
                closed(next);
            }
        }
    }

    private static void closed(@Nullable Generation generation) {
        if (generation != null) {
            generation.close();
        }
    }

    private static void copy(Generation from, Generation to) {
        int[] copied = {0};
        from.forEach((framed, id) -> {
            to.put(id, framed);
            if (++copied[0] % RECORDS_A_COMMIT == 0) {
                to.commit(Durability.PROCESS);
            }
        });
    }

    private Generation generation() throws IOException {
        Generation current = generation;
        if (current == null) {
            Opening opening = new Opening(folder, scheme);
            current = opening.open();
            damage.addAll(opening.damage());
            generation = current;
        }
        return current;
    }

    private void abandon() {
        Generation current = generation;
        generation = null;
        closed(current);
    }

    @Override
    public synchronized void close() {
        abandon();
    }
}

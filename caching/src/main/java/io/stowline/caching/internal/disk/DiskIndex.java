package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFiles.DiskSource;
import io.stowline.caching.internal.disk.DiskFiles.Sink;
import io.stowline.caching.internal.disk.DiskName.DiskFileKind;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entries by key, the one used longest ago first, and the bytes of all files: also those that are being written, and those that are
 * removed and still read. Thread-safe; what takes long, reading and writing, is done outside of it.
 */
final class DiskIndex {

    private static final Logger LOG = LoggerFactory.getLogger(DiskIndex.class);

    private final DiskFiles files;
    private final Path folder;
    private final long maxBytes;
    private final Map<String, DiskNode> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<DiskNode> writing = new HashSet<>();
    private final Set<DiskNode> leaving = new HashSet<>();
    private long total;
    private long sequence;
    private boolean closed;

    DiskIndex(DiskFiles files, Path folder, long maxBytes) {
        this.files = files;
        this.folder = folder;
        this.maxBytes = maxBytes;
    }

    /** An entry that is being read. */
    record Reading(DiskNode node, DiskSource source) {}

    /** Takes in what was found at the start, in the order of its use; of two versions the later one counts. */
    synchronized void found(DiskNode node) {
        sequence = Math.max(sequence, node.name.sequence());
        total += node.bytes + (node.head == null ? 0 : node.head.bytes);
        DiskNode before = entries.get(node.key);
        if (before != null && before.name.sequence() > node.name.sequence()) {
            leave(node);
            return;
        }
        entries.put(node.key, node);
        if (before != null) {
            leave(before);
        }
        evict(maxBytes);
    }

    /** Returns a new file for an entry, or for a newer head of it. */
    synchronized DiskNode begin(String key) throws IOException {
        checkOpen();
        DiskNode temporary = new DiskNode(key, DiskName.of(key, ++sequence, DiskFileKind.TMP), 0);
        writing.add(temporary);
        return temporary;
    }

    synchronized Sink create(DiskNode temporary) throws IOException {
        checkOpen();
        return files.create(file(temporary));
    }

    /** Makes room for more bytes of a file that is being written. */
    synchronized void grow(DiskNode node, long bytes) throws IOException {
        checkOpen();
        checkFits(node.bytes, bytes);
        List.copyOf(leaving).forEach(this::tryToLeave);
        evict(maxBytes - bytes);
        if (total > maxBytes - bytes) {
            throw new IOException("no room for " + bytes + " bytes more: all of the cache on disk, " + maxBytes
                    + " bytes, is being written or read");
        }
        node.bytes += bytes;
        total += bytes;
    }

    /** Refuses what cannot fit, were the disk empty otherwise. */
    void checkFits(long bytes, long more) throws IOException {
        if (more > maxBytes - bytes) {
            throw new IOException("an entry of at least " + bytes + " + " + more
                    + " bytes is larger than the cache on disk, which has " + maxBytes);
        }
    }

    private void evict(long downTo) {
        Iterator<DiskNode> eldest = entries.values().iterator();
        while (total > downTo && eldest.hasNext()) {
            DiskNode node = eldest.next();
            if (node.readers == 0) {
                eldest.remove();
                leave(node);
            }
        }
    }

    /** Lets an entry count that is written whole; it is being read from then on. */
    synchronized Reading commit(DiskNode node) throws IOException {
        checkOpen();
        DiskSource source = files.open(file(node));
        try {
            rename(node, DiskName.of(node.key, ++sequence, DiskFileKind.ENTRY));
        } catch (IOException | RuntimeException e) {
            DiskFiles.closeQuietly(source);
            throw e;
        }
        node.readers = 1;
        DiskNode before = entries.put(node.key, node);
        if (before != null) {
            leave(before);
        }
        return new Reading(node, source);
    }

    /** Lets a newer head of an entry count, unless the entry has gone since. */
    synchronized void commitHead(DiskNode head, DiskNode node) throws IOException {
        checkOpen();
        if (entries.get(node.key) != node) {
            leave(head);
            return;
        }
        try {
            rename(head, node.name.as(DiskFileKind.HEAD));
        } catch (IOException | RuntimeException e) {
            removeHead(node);
            throw e;
        }
        DiskNode before = node.head;
        node.head = head;
        total -= before == null ? 0 : before.bytes;
    }

    /** Opens an entry for reading, or null if there is none. */
    synchronized @Nullable Reading open(String key) throws IOException {
        DiskNode node = closed ? null : entries.get(key);
        if (node == null) {
            return null;
        }
        try {
            Reading reading = new Reading(node, files.open(file(node)));
            node.readers++;
            return reading;
        } catch (NoSuchFileException deletedByHand) {
            remove(key);
            return null;
        }
    }

    /** Opens the newer head of an entry, or null if it has none. */
    synchronized @Nullable DiskSource openHead(DiskNode node) throws IOException {
        DiskNode head = node.head;
        return head == null || head.leaving || closed ? null : files.open(file(head));
    }

    /** Marks an entry as used, for the order after the next start. */
    synchronized void touch(DiskNode node) {
        try {
            if (!closed && !node.leaving) {
                files.touch(file(node));
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("a file of the cache {} could not be marked as used", folder, e);
        }
    }

    /** Closes the reading of an entry. */
    synchronized void release(Reading reading) {
        DiskFiles.closeQuietly(reading.source());
        DiskNode node = reading.node();
        node.readers--;
        if (node.leaving) {
            tryToLeave(node);
        }
    }

    synchronized void remove(String key) {
        DiskNode node = closed ? null : entries.remove(key);
        if (node != null) {
            leave(node);
        }
    }

    /** Removes this version of an entry, whatever it is by now. */
    synchronized void remove(DiskNode node) {
        if (!closed) {
            entries.remove(node.key, node);
            leave(node);
        }
    }

    synchronized void removeHead(DiskNode node) {
        DiskNode head = node.head;
        if (head != null && !closed) {
            node.head = null;
            leave(head);
        }
    }

    synchronized void removeIf(Predicate<String> key) {
        List<String> gone = entries.keySet().stream().filter(key).toList();
        gone.forEach(this::remove);
    }

    void forEach(Consumer<String> key) {
        List<String> keys;
        synchronized (this) {
            keys = List.copyOf(entries.keySet());
        }
        keys.forEach(key);
    }

    /** Deletes a file that is of no use, sooner or later. */
    synchronized void discard(DiskNode useless) {
        leave(useless);
    }

    private void leave(DiskNode node) {
        if (node.leaving) {
            return;
        }
        node.leaving = true;
        writing.remove(node);
        leaving.add(node);
        if (node.head != null) {
            leave(node.head);
        }
        tryToLeave(node);
    }

    /** Some systems do not delete an open file: then the next release tries it again. */
    private void tryToLeave(DiskNode node) {
        if (!node.deleted && !closed) {
            try {
                files.delete(file(node));
                node.deleted = true;
            } catch (IOException | RuntimeException e) {
                return;
            }
        }
        if (node.deleted && node.readers == 0 && leaving.remove(node)) {
            total -= node.bytes;
        }
    }

    synchronized long total() {
        return total;
    }

    /** A failed move may have been done: the file with the new name then belongs to no entry. */
    private void rename(DiskNode node, DiskName name) throws IOException {
        try {
            files.move(file(node), name.in(folder));
        } catch (IOException | RuntimeException e) {
            discard(new DiskNode(node.key, name, 0));
            throw e;
        }
        writing.remove(node);
        node.name = name;
    }

    private Path file(DiskNode node) {
        return node.name.in(folder);
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the cache on disk is closed");
        }
    }

    /** Removes what is being written; from now on no file is touched, for the folder may have another owner. */
    synchronized void close() {
        List.copyOf(writing).forEach(this::leave);
        List.copyOf(leaving).forEach(this::tryToLeave);
        closed = true;
    }

    /** A file that the tier counts. Guarded by its {@link DiskIndex}. */
    static final class DiskNode {

        final String key;
        DiskName name;
        long bytes;
        int readers;
        boolean leaving;
        boolean deleted;

        /** The newer head of an entry. */
        @Nullable
        DiskNode head;

        DiskNode(String key, DiskName name, long bytes) {
            this.key = key;
            this.name = name;
            this.bytes = bytes;
        }
    }
}

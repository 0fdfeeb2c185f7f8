package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFiles.DiskSource;
import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import io.stowline.caching.internal.disk.DiskIndex.DiskNode;
import io.stowline.caching.internal.disk.DiskIndex.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cached responses in a folder, each in a separate file; they outlive the process (decision 75). The folder belongs to one user and
 * to one tier at a time.
 *
 * <p>An entry is there whole or not at all, also after a crash: it is written beside, forced to the disk and renamed.
 * Its checksum
 * (CRC-32C over head and body) is compared before it is served, for which each {@link #find} reads the whole file once
 * more. The bytes
 * of all files together stay within the bound, those that are being written included: the entry used longest ago is
 * evicted, but none that is being read. Each entry costs memory for its key and about 300 bytes.
 *
 * <p>Thread-safe. All calls may block for the disk.
 */
final class DiskTier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DiskTier.class);

    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    private final Path folder;
    private final CacheFolderLock owner;
    private final DiskIndex index;
    private final AtomicBoolean complained = new AtomicBoolean();

    private DiskTier(DiskCacheFolder folder, CacheFolderLock owner, DiskFiles files, long maxBytes) {
        this.folder = folder.path();
        this.owner = owner;
        this.index = new DiskIndex(files, folder.path(), maxBytes);
    }

    /**
     * Opens a folder, which is made if it is not there and made private if it is not. Where others could write, what is in it is not
     * believed and removed.
     *
     * @param maxBytes the bound, in bytes, at least 1
     * @throws IOException naming the folder: it is in use by a process (which is named), is no folder or cannot be made private
     */
    static DiskTier open(Path folder, long maxBytes) throws IOException {
        return open(folder, maxBytes, new PrivateFiles());
    }

    static DiskTier open(Path folder, long maxBytes, DiskFiles files) throws IOException {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("the bytes of a cache on disk must be at least 1: " + maxBytes);
        }
        DiskCacheFolder priv = DiskCacheFolder.of(folder);
        CacheFolderLock owner = CacheFolderLock.of(priv);
        try {
            DiskTier tier = new DiskTier(priv, owner, files, maxBytes);
            new DiskRecovery(files, priv.path()).into(tier.index, !priv.wasOpen());
            return tier;
        } catch (IOException | RuntimeException e) {
            owner.close();
            throw e;
        }
    }

    /** Returns the entry of a key, checked; the caller must close it. */
    @Nullable
    DiskEntry find(String key) {
        try {
            Reading reading = index.open(key);
            return reading == null ? null : checked(reading);
        } catch (IOException | RuntimeException e) {
            complain("read", e);
            return null;
        }
    }

    private @Nullable DiskEntry checked(Reading reading) throws IOException {
        DiskEntry found = null;
        try {
            StoredFile stored = StoredFile.intact(reading.source(), reading.node().key);
            if (stored == null) {
                LOG.warn("an entry of the cache {} is damaged and removed", folder);
                return null;
            }
            DiskHead head = newest(reading.node(), stored.keyed().head());
            found = new DiskEntry(index, reading, head, stored.preamble(), stored.sums());
            index.touch(reading.node());
            return found;
        } catch (IOException e) {
            LOG.warn("an entry of the cache {} cannot be read and is removed", folder);
            throw e;
        } finally {
            if (found == null) {
                index.remove(reading.node());
                index.release(reading);
            }
        }
    }

    /** The head of the last validation; where that is damaged an older one is as true, only older. */
    private DiskHead newest(DiskNode node, DiskHead own) {
        try (DiskSource source = index.openHead(node)) {
            if (source == null) {
                return own;
            }
            StoredFile stored = StoredFile.intact(source, node.key);
            if (stored != null) {
                return stored.keyed().head();
            }
        } catch (IOException e) {
            complain("read", e);
        }
        index.removeHead(node);
        return own;
    }

    /**
     * Begins an entry. It is found once it is committed, in place of the one before; of several writers of one key the last to commit
     * counts.
     *
     * @throws IOException if it cannot be written: the disk is full, or the entry is larger than the bound as far as its head and its
     *     Content-Length show
     */
    DiskWriter begin(String key, DiskHead head) throws IOException {
        String length = head.header("Content-Length");
        if (length != null && LENGTH.matcher(length).matches()) {
            index.checkFits(DiskFormat.PREAMBLE, Long.parseLong(length));
        }
        return DiskWriter.begin(index, key, head);
    }

    /**
     * Replaces the head of an entry that the service has confirmed. Does nothing without an entry, nor if both heads
     * have an ETag and it differs. Never fails: then the head stays as it was.
     */
    void validated(String key, DiskHead head) {
        try {
            Reading reading = index.open(key);
            if (reading != null) {
                try {
                    validated(reading, head);
                } finally {
                    index.release(reading);
                }
            }
        } catch (IOException | RuntimeException e) {
            complain("written", e);
        }
    }

    private void validated(Reading reading, DiskHead head) throws IOException {
        StoredFile stored = StoredFile.of(reading.source());
        if (stored != null && isSame(stored.keyed().head().header("ETag"), head.header("ETag"))) {
            DiskWriter.begin(index, reading.node().key, head).commitHead(reading.node());
        }
    }

    private static boolean isSame(@Nullable String before, @Nullable String now) {
        return before == null || now == null || before.equals(now);
    }

    /**
     * Removes an entry if there is one. That survives the end of the process, but not for certain the loss of power right after it.
     */
    void remove(String key) {
        index.remove(key);
    }

    /** Removes the entries of all keys of which this is true. */
    void removeIf(Predicate<String> key) {
        index.removeIf(key);
    }

    /** Names the keys of all entries. */
    void forEach(Consumer<String> key) {
        index.forEach(key);
    }

    /** Returns the bytes of all files. */
    long bytes() {
        return index.total();
    }

    /** Logs one warning: a failing disk fails again and again. */
    private void complain(String verb, Exception e) {
        if (complained.compareAndSet(false, true)) {
            LOG.warn("the cache {} cannot be {}, and goes on without", folder, verb, e);
        } else {
            LOG.debug("the cache {} cannot be {}", folder, verb, e);
        }
    }

    /**
     * Gives the folder back. Entries that are open can be read to their end; what is being written is lost. From now on nothing is found.
     * Repeated calls do nothing.
     */
    @Override
    public void close() {
        index.close();
        DiskFiles.closeQuietly(owner);
    }
}

package io.stowline.advisor.internal.evidence;

import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptEvent.Condition;
import io.stowline.observe.AttemptReason;
import java.util.Set;

/** Attempts at blobs: the load of each blob, the order of names, sizes of bodies, and content that comes back. Not thread-safe. */
final class BlobRecorder {

    private static final int READS_REMEMBERED = 2_048;
    private static final int WRITES_REMEMBERED = 1_024;
    private static final int DOWNLOADS_REMEMBERED = 512;
    private static final long SMALL_BLOB = 16 << 10;

    /** Larger blocks reach the high-throughput path. */
    private static final long LARGE_BLOCK = 4 << 20;

    /** Ranges of a longer blob, but for the last one, have at least so many bytes. */
    private static final long LEAST_RANGE = 4 << 20;

    private static final Set<String> WHOLE_READS = Set.of("download", "downloadTo");

    private static final int CONTAINER_BITS = 8;
    private static final long CONTAINER_MASK = (1 << CONTAINER_BITS) - 1;
    private static final long COPY_MILLIS = 60_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final KeyedHash hash;
    private final Containers containers;
    private final KeyTexts keys;
    private final RecentKeys reads = new RecentKeys(READS_REMEMBERED);
    private final RecentKeys writes = new RecentKeys(WRITES_REMEMBERED);
    private final RecentKeys downloads = new RecentKeys(DOWNLOADS_REMEMBERED);
    private long shippedBytes;
    private long uploadEnd;
    private long downloadEnd;

    BlobRecorder(KeyedHash hash, Containers containers, KeyTexts keys) {
        this.hash = hash;
        this.containers = containers;
        this.keys = keys;
    }

    void add(AttemptEvent event, EvidencePart part, int container, long bytes, boolean throttled, long now) {
        shippedBytes += bytes;
        part.add(Tally.BLOB_BYTES, bytes);
        String name = event.partition();
        if (container == Containers.NONE || name == null) {
            return;
        }
        long blob = hash.of(containers.hash(container), name);
        keys.put(blob, name);
        part.blobs.add(blob, container, 1, throttled, bytes);
        if (event.reason() != AttemptReason.SUCCESS) {
            return;
        }
        if (event.write() && event.bytesSent() > 0) {
            addUpload(event, part, container, blob, name, now);
        } else if (!event.write() && event.bytesReceived() > 0) {
            addDownload(event, part, container, blob, name, now);
        }
    }

    /** Only a block that is not committed yet has no ETag. */
    private void addUpload(AttemptEvent event, EvidencePart part, int container, long blob, String name, long now) {
        part.add(Tally.UPLOADS);
        part.add(Tally.UPLOAD_NANOS, event.elapsedNanos());
        part.add(Tally.UPLOAD_OVERLAPS, startMillis(event, now) < uploadEnd ? 1 : 0);
        uploadEnd = now;
        part.addBlobBody(event.bytesSent());
        boolean again = writes.hasSince(blob, now - COPY_MILLIS) && writes.value(blob) == event.bytesSent();
        if (again && event.etag() == null) {
            part.add(Tally.BLOCKS);
            part.add(Tally.SHORT_BLOCKS, event.bytesSent() <= LARGE_BLOCK ? 1 : 0);
        } else if (!again && !event.operation().equals("append") && !isBlockList(event, blob, now)) {
            addBlob(event, part, container, name, now);
        }
        writes.put(blob, event.bytesSent(), now);
        reads.remove(blob);
    }

    /** The list of blocks ends an upload, and is shorter than they are. */
    private boolean isBlockList(AttemptEvent event, long blob, long now) {
        return event.bytesSent() <= SMALL_BLOB
                && writes.hasSince(blob, now - COPY_MILLIS)
                && writes.value(blob) > SMALL_BLOB;
    }

    private void addBlob(AttemptEvent event, EvidencePart part, int container, String name, long now) {
        part.add(Tally.BLOBS_WRITTEN);
        part.add(Tally.SMALL_BLOBS, event.bytesSent() <= SMALL_BLOB ? 1 : 0);
        part.containers.add(container, ContainerTally.WRITES, 1);
        TableRecorder.addKey(part, containers.range(container), container, name, 1, now);
        long anywhere = hash.of(0, name);
        if (downloads.hasSince(anywhere, now - COPY_MILLIS) && isCopy(event, container, downloads.value(anywhere))) {
            part.add(Tally.COPIED_BLOBS);
            downloads.remove(anywhere);
        }
    }

    /** The content of a copy is as long as its source; of a blob in blocks only the first one is known. */
    private static boolean isCopy(AttemptEvent event, int container, long source) {
        long bytes = source >> CONTAINER_BITS;
        boolean fits = event.etag() == null ? bytes >= event.bytesSent() : bytes == event.bytesSent();
        return (source & CONTAINER_MASK) != container && fits;
    }

    /** Remembers a download with its bytes; further ranges have the condition that the first one's version is there. */
    private void addSource(AttemptEvent event, int container, long name, long now) {
        boolean further = event.condition() == Condition.IF_MATCH
                && downloads.hasSince(name, now - COPY_MILLIS)
                && (downloads.value(name) & CONTAINER_MASK) == container;
        long before = further ? downloads.value(name) >> CONTAINER_BITS : 0;
        downloads.put(name, (before + event.bytesReceived()) << CONTAINER_BITS | container, now);
    }

    /** A download in ranges requests the first one without a condition, and the others of the version that it got. */
    private void addDownload(AttemptEvent event, EvidencePart part, int container, long blob, String name, long now) {
        part.add(Tally.DOWNLOADS);
        part.add(Tally.DOWNLOAD_NANOS, event.elapsedNanos());
        part.add(Tally.DOWNLOAD_OVERLAPS, startMillis(event, now) < downloadEnd ? 1 : 0);
        downloadEnd = now;
        addSource(event, container, hash.of(0, name), now);
        String range = event.range();
        if ((range != null || isWhole(event)) && event.condition() == Condition.NONE) {
            long content = range == null ? blob : hash.of(blob, range);
            long etag = TableRecorder.etag(event.etag(), hash);
            TableRecorder.addFetch(event, part, reads, content, etag);
            reads.put(content, etag, now);
        }
    }

    /** A download requests a range that is longer than many blobs; of a larger blob its last range counts for the whole. */
    private static boolean isWhole(AttemptEvent event) {
        return event.status() == 200 || (WHOLE_READS.contains(event.caller()) && event.bytesReceived() < LEAST_RANGE);
    }

    /** A request that begins in the millisecond in which another one ends does not overlap it. */
    private static long startMillis(AttemptEvent event, long now) {
        return now - event.elapsedNanos() / NANOS_PER_MILLI;
    }

    long shippedBytes() {
        return shippedBytes;
    }
}

package io.stowline.caching.internal;

import io.stowline.caching.CacheKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** The shelf on disk. What an earlier process left is there too, but its stamps say nothing to this one. Thread-safe. */
final class DiskShelf implements Shelf {

    /** Kept among the headers: the process, and the stamp that it has given. */
    private static final String STAMP = "x-stowline-stamp";

    /** The only name that the cache uses in the folder of the application. */
    static final String FOLDER = "stowline-cache";

    private final String process = UUID.randomUUID().toString();
    private final DiskTier disk;
    private final long capacity;

    private DiskShelf(DiskTier disk, long capacity) {
        this.disk = disk;
        this.capacity = capacity;
    }

    static DiskShelf open(EngineSettings.Disk settings) throws IOException {
        Path own = settings.folder().resolve(FOLDER);
        return new DiskShelf(DiskTier.open(own, settings.bytes()), settings.bytes());
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public @Nullable Held find(CacheKey key) {
        DiskEntry entry = disk.find(KeyText.of(key));
        return entry == null ? null : held(entry);
    }

    private Held held(DiskEntry entry) {
        return new Held(
                head(entry.head()), OneTimeBody.file(entry.length(), entry.body(), () -> Schedulers.boundedElastic()
                        .schedule(entry::close)));
    }

    @Override
    public Writing begin(CacheKey key, Head head) throws IOException {
        DiskWriter writer = disk.begin(KeyText.of(key), diskHead(head));
        return new Writing() {
            @Override
            public void write(ByteBuffer buffer) throws IOException {
                writer.write(buffer);
            }

            @Override
            public Held commit() throws IOException {
                return held(writer.commit());
            }

            @Override
            public void abort() {
                writer.abort();
            }
        };
    }

    /** Without an ETag there is no telling whether it is still the same body that is there; then it is asked about once more. */
    @Override
    public void validated(CacheKey key, Head head) {
        if (head.etag() != null) {
            disk.validated(KeyText.of(key), diskHead(head));
        }
    }

    @Override
    public void remove(CacheKey key) {
        disk.remove(KeyText.of(key));
    }

    @Override
    public void removeIf(Predicate<CacheKey> gone) {
        disk.removeIf(text -> gone.test(KeyText.key(text)));
    }

    @Override
    public void forEach(Consumer<CacheKey> each) {
        disk.forEach(text -> each.accept(KeyText.key(text)));
    }

    @Override
    public void close() {
        disk.close();
    }

    private DiskHead diskHead(Head head) {
        Stamp stamp = head.stamp();
        Map<String, String> headers = new TreeMap<>(head.headers());
        headers.put(
                STAMP,
                process + " " + stamp.writes() + " " + stamp.prefixes() + " "
                        + stamp.begun().nanos());
        return new DiskHead(head.status(), headers, stamp.begun().wallMillis());
    }

    private Head head(DiskHead kept) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(kept.headers());
        String stamp = headers.remove(STAMP);
        return Head.of(kept.status(), headers, stamp(stamp == null ? "" : stamp, kept.validatedAtMillis()));
    }

    private Stamp stamp(String text, long wallMillis) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4 || !parts[0].equals(process)) {
            return Stamp.earlier(wallMillis);
        }
        Moment begun = new Moment(Long.parseLong(parts[3]), wallMillis);
        return new Stamp(Long.parseLong(parts[1]), Long.parseLong(parts[2]), begun);
    }
}

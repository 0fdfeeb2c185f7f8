package io.stowline.caching.internal.disk;

import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.CacheEngineSettings;
import io.stowline.caching.internal.entry.CacheHit;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.entry.OneTimeBody;
import io.stowline.caching.internal.entry.OverflowStore;
import io.stowline.caching.internal.entry.OverflowStore.StoreFault;
import io.stowline.caching.internal.load.CacheKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The shelf on disk. What an earlier process left is there too, but its stamps mean nothing to this one. Thread-safe. */
public final class DiskStore implements OverflowStore {

    /** A name among the headers, for the process and its stamp. */
    private static final String STAMP = "x-stowline-stamp";

    /** The only name that the cache uses in the folder of the application. */
    static final String FOLDER = "stowline-cache";

    private final String process = UUID.randomUUID().toString();
    private final DiskTier disk;
    private final long capacity;

    private final Scheduler work;

    DiskStore(DiskTier disk, long capacity, Scheduler work) {
        this.disk = disk;
        this.capacity = capacity;
        this.work = work;
    }

    /** Opens the folder; bodies are read and given back where it may block. */
    public static DiskStore open(CacheEngineSettings.DiskTierSettings settings, Scheduler work) throws IOException {
        Path own = settings.folder().resolve(FOLDER);
        return new DiskStore(DiskTier.open(own, settings.bytes()), settings.bytes(), work);
    }

    @Override
    public long capacity() {
        return capacity;
    }

    @Override
    public @Nullable CacheHit find(CacheKey key) {
        DiskEntry entry = disk.find(CacheKeyText.of(key));
        return entry == null ? null : hit(entry);
    }

    private CacheHit hit(DiskEntry entry) {
        return new CacheHit(
                head(entry.head()),
                OneTimeBody.file(
                        entry.length(),
                        entry.body().subscribeOn(work).onErrorMap(StoreFault::new),
                        () -> work.schedule(entry::close)));
    }

    @Override
    public Writing begin(CacheKey key, EntryHead head) throws IOException {
        DiskWriter writer = disk.begin(CacheKeyText.of(key), diskHead(head));
        return new Writing() {
            @Override
            public void write(ByteBuffer buffer) throws IOException {
                writer.write(buffer);
            }

            @Override
            public CacheHit commit() throws IOException {
                return hit(writer.commit());
            }

            @Override
            public void abort() {
                writer.abort();
            }
        };
    }

    /** Renews the head. Without an ETag the disk may have another body by now: then the entry is revalidated. */
    @Override
    public void validated(CacheKey key, EntryHead head) {
        if (head.etag() != null) {
            disk.validated(CacheKeyText.of(key), diskHead(head));
        }
    }

    @Override
    public void remove(CacheKey key) {
        disk.remove(CacheKeyText.of(key));
    }

    @Override
    public void removeIf(Predicate<CacheKey> gone) {
        disk.removeIf(text -> {
            CacheKey key = CacheKeyText.key(text);
            return key == null || gone.test(key);
        });
    }

    @Override
    public void forEach(Consumer<CacheKey> each) {
        disk.removeIf(text -> CacheKeyText.key(text) == null);
        disk.forEach(text -> each.accept(Objects.requireNonNull(CacheKeyText.key(text))));
    }

    @Override
    public void close() {
        disk.close();
    }

    private DiskHead diskHead(EntryHead head) {
        InvalidationStamp stamp = head.stamp();
        Map<String, String> headers = new TreeMap<>(head.headers());
        headers.put(
                STAMP,
                process + " " + stamp.writes() + " " + stamp.prefixes() + " "
                        + stamp.begun().nanos());
        return new DiskHead(head.status(), headers, stamp.begun().wallMillis());
    }

    private EntryHead head(DiskHead kept) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(kept.headers());
        String stamp = headers.remove(STAMP);
        return EntryHead.of(kept.status(), headers, stamp(stamp == null ? "" : stamp, kept.validatedAtMillis()));
    }

    private InvalidationStamp stamp(String text, long wallMillis) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 4 || !parts[0].equals(process)) {
            return InvalidationStamp.earlier(wallMillis);
        }
        ClockReading begun = new ClockReading(Long.parseLong(parts[3]), wallMillis);
        return new InvalidationStamp(Long.parseLong(parts[1]), Long.parseLong(parts[2]), begun);
    }
}

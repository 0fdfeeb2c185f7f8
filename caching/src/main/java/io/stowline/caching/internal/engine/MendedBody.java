package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.entry.BlockingWorker;
import io.stowline.caching.internal.entry.BodyCollector;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.HeaderMap;
import io.stowline.caching.internal.entry.OverflowStore.StoreFault;
import io.stowline.caching.internal.entry.SignalledErrors;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** A body on the shelf whose rest is requested from the service when the store fails in the middle of it (CACHE-5). */
final class MendedBody implements CachedBody {

    private final CachedBody kept;
    private final @Nullable String etag;
    private final Loader loader;
    private final BlockingWorker work;

    MendedBody(CachedBody kept, @Nullable String etag, Loader loader, BlockingWorker work) {
        this.kept = kept;
        this.etag = etag;
        this.loader = loader;
        this.work = work;
    }

    @Override
    public long length() {
        return kept.length();
    }

    @Override
    public Flux<ByteBuffer> flux() {
        return Flux.defer(() -> {
            AtomicLong given = new AtomicLong();
            Flux<ByteBuffer> whole = kept.flux()
                    .doOnNext(buffer -> given.addAndGet(buffer.remaining()))
                    .onErrorResume(StoreFault.class, fault -> rest(given.get(), fault));
            return BodyCollector.exactly(whole, length());
        });
    }

    private Flux<ByteBuffer> rest(long given, StoreFault fault) {
        work.fault("could not read its disk", fault);
        return new SignalledErrors<>(() -> loader.load(Conditions.NONE))
                .flatMapMany(loaded -> same(loaded, given, fault).map(ByteBuffer::asReadOnlyBuffer));
    }

    /** A later version cannot continue the body. */
    private Flux<ByteBuffer> same(Loader.LoadResult loaded, long given, StoreFault fault) {
        if (!(loaded instanceof Loader.LoadResult.Found found)) {
            return Flux.error(fault.reason());
        }
        if (etag == null || !etag.equals(HeaderMap.of(found.headers()).get("ETag"))) {
            CacheLoad.discard(found);
            return Flux.error(fault.reason());
        }
        AtomicLong skipped = new AtomicLong();
        return found.body().mapNotNull(buffer -> {
            int skip = (int) Math.min(given - skipped.get(), buffer.remaining());
            skipped.addAndGet(skip);
            return skip == buffer.remaining() && skip > 0
                    ? null
                    : buffer.slice(buffer.position() + skip, buffer.remaining() - skip);
        });
    }

    @Override
    public void close() {
        kept.close();
    }
}

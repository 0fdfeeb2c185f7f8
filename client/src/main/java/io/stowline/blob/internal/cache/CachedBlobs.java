package io.stowline.blob.internal.cache;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.blob.internal.cache.BlobCacheLoader.LongerThanRequestedException;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.InMemoryDownload;
import io.stowline.blob.internal.gzip.Expansion;
import io.stowline.blob.internal.range.RangeSource.RangeRequest.UnchangedException;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import io.stowline.error.NotFoundException;
import io.stowline.transport.internal.client.ClientCache;
import io.stowline.transport.internal.client.ClientCache.CacheLoader;
import io.stowline.transport.internal.request.Operation;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The reads of the blobs of one container through the cache of its client. Thread-safe. */
public final class CachedBlobs {

    private static final int MAX_RANGE = 64 * 1024 * 1024;
    private static final byte[] NOTHING = new byte[0];

    private final BlobContext context;
    private final Freshness freshness;
    private final boolean asStored;

    /**
     * Prepares the reads; nothing is sent, and no cache is made yet.
     *
     * @param context the container
     * @param freshness what may be given without asking
     * @param asStored whether content is given as it is stored
     */
    public CachedBlobs(BlobContext context, Freshness freshness, boolean asStored) {
        this.context = context.atPrimary();
        this.freshness = freshness;
        this.asStored = asStored;
    }

    /**
     * Reads a small blob into memory.
     *
     * @param limit the most bytes that it may have
     * @return its content; an {@link IllegalStateException} if there is more of it
     */
    public Mono<CachedRead<byte[]>> download(String name, int limit) {
        return Mono.fromRunnable(() -> Download.checkLimit(limit))
                .then(content(name, limit))
                .flatMap(read -> {
                    if (!read.absent() && read.length() > limit) {
                        read.close();
                        return Mono.error(InMemoryDownload.beyond(context.resource(name), read.length(), limit));
                    }
                    return present(name, read, found -> expanded(name, found, limit));
                })
                .onErrorResume(
                        LongerThanRequestedException.class,
                        e -> e.size() > limit
                                ? Mono.error(InMemoryDownload.beyond(context.resource(name), e.size(), limit))
                                : download(name, limit));
    }

    /**
     * Reads a part of a blob.
     *
     * @param offset where the part begins
     * @param count how many bytes at the most
     * @return the part, or as much of it as the blob has
     */
    public Mono<CachedRead<byte[]>> range(String name, long offset, int count) {
        return part(name, offset, count).flatMap(read -> present(name, read, CachedResponse::bytes));
    }

    private Mono<CachedResponse> part(String name, long offset, int count) {
        if (offset < 0) {
            throw new IllegalArgumentException("offset is " + offset + "; it is not negative");
        }
        if (count < 1 || count > MAX_RANGE) {
            throw new IllegalArgumentException("count is " + count + "; it is 1 to " + MAX_RANGE);
        }
        String variant = "bytes=" + offset + "+" + count;
        return read("download", name, variant, false, (loads, known) -> loads.range(offset, count, known.etag()))
                .doOnNext(read -> refuseExpansion(name, read));
    }

    /** Opens a blob, whose facts are those of the copy that is read. */
    public Mono<CachedRead<OpenedContent>> opened(String name) {
        return content(name, Long.MAX_VALUE).map(read -> opened(name, read));
    }

    /** Opens a part; see {@link #range}. */
    public Mono<CachedRead<OpenedContent>> opened(String name, long offset, int count) {
        return part(name, offset, count).map(read -> opened(name, read));
    }

    private CachedRead<OpenedContent> opened(String name, CachedResponse read) {
        if (read.absent()) {
            read.close();
            return given(name, read, null);
        }
        BlobInfo info = CachedProperties.of(name, read.headers());
        Expansion expansion = expansion("openDownload", name, read);
        OpenedContent stored = new OpenedContent(info, read.length(), read.body(), read::close);
        return given(name, read, expansion == null ? stored : expansion.expanded(stored));
    }

    /** Reads what the service knows of a blob. */
    public Mono<CachedRead<BlobInfo>> info(String name) {
        return read("info", name, "facts", false, (loads, known) -> loads.info())
                .flatMap(read -> present(name, read, found -> {
                    found.close();
                    return Mono.just(CachedProperties.of(name, found.headers()));
                }));
    }

    /** Returns the expansion of a blob that is read whole, or {@code null} if its content is given as it is stored. */
    @Nullable
    Expansion expansion(String verb, String name, CachedResponse read) {
        return expansion(verb, name, read, true, DownloadSettings.defaults());
    }

    private @Nullable Expansion expansion(
            String verb, String name, CachedResponse read, boolean whole, DownloadSettings settings) {
        return asStored || !CachedProperties.isGzip(read.headers())
                ? null
                : Expansion.of(context, verb, CachedProperties.of(name, read.headers()), whole, settings);
    }

    /** The cache keeps stored bytes, whose version the service knows: they are expanded at each read. */
    private Mono<byte[]> expanded(String name, CachedResponse read, int limit) {
        if (asStored || !CachedProperties.isGzip(read.headers())) {
            return read.bytes();
        }
        DownloadSettings settings = DownloadSettings.builder().limit(limit).build();
        return read.bytes()
                .flatMap(stored -> Mono.using(
                        context.service().memory()::share,
                        share -> Mono.justOrEmpty(expansion("download", name, read, true, settings))
                                .flatMap(expansion -> Download.expanded(expansion, stored, share)),
                        Share::close));
    }

    private void refuseExpansion(String name, CachedResponse read) {
        try {
            Expansion unused =
                    read.absent() ? null : expansion("download", name, read, false, DownloadSettings.defaults());
        } catch (IllegalStateException e) {
            read.close();
            throw e;
        }
    }

    /** Returns the content, which has to be closed. */
    Mono<CachedResponse> content(String name) {
        return content(name, Long.MAX_VALUE);
    }

    /** Content is read as long as its parts come. */
    private Mono<CachedResponse> content(String name, long limit) {
        return read("download", name, "content", true, (loads, known) -> loads.content(known.etag(), limit));
    }

    private Mono<CachedResponse> read(
            String verb,
            String name,
            String variant,
            boolean inParts,
            BiFunction<BlobCacheLoader, Conditions, Mono<Loader.LoadResult>> load) {
        return Mono.defer(() -> {
            BlobNameRules.check(name);
            ClientCache cache = context.service().cache();
            CacheKey key =
                    cache.key(address(name), variant, context.calls().view().headers());
            Operation operation = context.read(verb, context.resource(name));
            CacheLoader loader = new CacheLoader(
                    context.retry(),
                    inParts,
                    (settings, known) ->
                            reported(operation, load.apply(new BlobCacheLoader(context.with(settings), name), known)));
            return cache.read(operation, key, freshness, loader);
        });
    }

    /** An unchanged version and a missing blob are results, not failures. */
    private Mono<Loader.LoadResult> reported(Operation operation, Mono<Loader.LoadResult> work) {
        return context.asOperation(
                operation,
                work.onErrorResume(UnchangedException.class, e -> Mono.just(Loader.LoadResult.notModified(Map.of())))
                        .onErrorResume(
                                NotFoundException.class,
                                e -> BlobConditions.blobMissing(e)
                                        ? Mono.just(Loader.LoadResult.absent(404, Map.of(), NOTHING))
                                        : Mono.error(e)));
    }

    <A> CachedRead<A> given(String name, CachedResponse read, @Nullable A value) {
        return new CachedRead<>(Optional.ofNullable(value), read.outcome(), read.age(), context.resource(name));
    }

    private <A> Mono<CachedRead<A>> present(String name, CachedResponse read, Function<CachedResponse, Mono<A>> value) {
        if (read.absent()) {
            read.close();
            return Mono.just(given(name, read, null));
        }
        return value.apply(read).map(found -> given(name, read, found));
    }

    /** Forgets a blob. */
    public void invalidate(String name) {
        context.service().cache().forget(address(BlobNameRules.check(name)));
    }

    private String address(String name) {
        return context.address(name);
    }
}

package io.stowline.blob.internal.client;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.ReactiveCachedContainer;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.blob.internal.cache.CachedBlobs;
import io.stowline.blob.internal.cache.CachedCopy;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** {@link ReactiveCachedContainer} that delivers the reads of {@link CachedBlobs}. */
final class DefaultReactiveCachedContainer implements ReactiveCachedContainer {

    private final BlobContext context;
    private final Freshness freshness;
    private final boolean asStored;
    private final CachedBlobs blobs;

    DefaultReactiveCachedContainer(BlobContext context, Freshness freshness, boolean asStored) {
        this.context = context;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.asStored = asStored;
        this.blobs = new CachedBlobs(context, freshness, asStored);
    }

    @Override
    public ReactiveCachedContainer asStored() {
        return new DefaultReactiveCachedContainer(context, freshness, true);
    }

    @Override
    public Mono<CachedRead<byte[]>> download(String name, int limit) {
        return context.delivered(blobs.download(name, limit));
    }

    @Override
    public Mono<CachedRead<byte[]>> range(String name, long offset, int count) {
        return context.delivered(Mono.defer(() -> blobs.range(name, offset, count)));
    }

    @Override
    public Mono<CachedRead<ReactiveBlobDownload>> openDownload(String name) {
        return context.delivered(Mono.defer(() -> blobs.opened(name)).map(read -> opened(read, 0)));
    }

    @Override
    public Mono<CachedRead<ReactiveBlobDownload>> openDownload(String name, long offset, int count) {
        return context.delivered(
                Mono.defer(() -> blobs.opened(name, offset, count)).map(read -> opened(read, offset)));
    }

    private CachedRead<ReactiveBlobDownload> opened(CachedRead<OpenedContent> read, long offset) {
        return read.map(content -> new DefaultReactiveBlobDownload(content, offset, context.delivered(content.once())));
    }

    @Override
    public Mono<CachedRead<BlobInfo>> downloadTo(String name, Path target) {
        return context.delivered(new CachedCopy(blobs, name).fileLater(target));
    }

    @Override
    public Mono<CachedRead<BlobInfo>> downloadTo(String name, OutputStream target) {
        return context.delivered(new CachedCopy(blobs, name).streamLater(target));
    }

    @Override
    public Mono<CachedRead<BlobInfo>> info(String name) {
        return context.delivered(blobs.info(name));
    }

    @Override
    public void invalidate(String name) {
        blobs.invalidate(name);
    }

    @Override
    public String toString() {
        return "ReactiveCachedContainer[" + context.name() + ", " + freshness + (asStored ? ", as stored]" : "]");
    }
}

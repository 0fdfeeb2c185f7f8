package io.stowline.blob.internal.client;

import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.ReactiveCachedContainer;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.FluxStream;
import io.stowline.blob.internal.base.OpenedContent;
import io.stowline.blob.internal.cache.CachedBlobs;
import io.stowline.blob.internal.cache.CachedCopy;
import io.stowline.caching.CachedRead;
import io.stowline.caching.Freshness;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/** {@link CachedContainer} that waits for the reads of {@link CachedBlobs}. */
final class DefaultCachedContainer implements CachedContainer {

    private final BlobContext context;
    private final Freshness freshness;
    private final boolean asStored;
    private final CachedBlobs blobs;

    DefaultCachedContainer(BlobContext context, Freshness freshness, boolean asStored) {
        this.context = context;
        this.freshness = Objects.requireNonNull(freshness, "freshness");
        this.asStored = asStored;
        this.blobs = new CachedBlobs(context, freshness, asStored);
    }

    @Override
    public CachedContainer asStored() {
        return new DefaultCachedContainer(context, freshness, true);
    }

    @Override
    public ReactiveCachedContainer reactive() {
        return new DefaultReactiveCachedContainer(context, freshness, asStored);
    }

    @Override
    public CachedRead<byte[]> download(String name, int limit) {
        return BlockingAwait.result(blobs.download(name, limit));
    }

    @Override
    public CachedRead<byte[]> range(String name, long offset, int count) {
        return BlockingAwait.result(blobs.range(name, offset, count));
    }

    @Override
    public CachedRead<BlobInfo> downloadTo(String name, Path target) {
        return new CachedCopy(blobs, name).file(target);
    }

    @Override
    public CachedRead<BlobInfo> downloadTo(String name, OutputStream target) {
        return new CachedCopy(blobs, name).stream(target);
    }

    @Override
    public CachedRead<BlobDownload> openDownload(String name) {
        return opened(BlockingAwait.result(blobs.opened(name)), name, 0);
    }

    @Override
    public CachedRead<BlobDownload> openDownload(String name, long offset, int count) {
        return opened(BlockingAwait.result(blobs.opened(name, offset, count)), name, offset);
    }

    @SuppressWarnings("MustBeClosedChecker") // the caller closes it
    private CachedRead<BlobDownload> opened(CachedRead<OpenedContent> read, String name, long offset) {
        return read.map(content -> new DefaultBlobDownload(
                content.info(),
                offset,
                content.length(),
                new FluxStream(content.source(), "the cached stream of " + context.resource(name), content::close)));
    }

    @Override
    public CachedRead<BlobInfo> info(String name) {
        return BlockingAwait.result(blobs.info(name));
    }

    @Override
    public void invalidate(String name) {
        blobs.invalidate(name);
    }

    @Override
    public String toString() {
        return "CachedContainer[" + context.name() + ", " + freshness + (asStored ? ", as stored]" : "]");
    }
}

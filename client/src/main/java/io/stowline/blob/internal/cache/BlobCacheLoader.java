package io.stowline.blob.internal.cache;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.caching.internal.load.Loader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A loader that reads one blob for a cache, unless it is the version that the cache has. Serves one load. */
final class BlobCacheLoader {

    private final BlobContext context;
    private final String name;

    BlobCacheLoader(BlobContext context, String name) {
        this.context = context;
        this.name = name;
    }

    /**
     * Returns the content, unless it is longer than the limit: then it fails with a {@link
     * LongerThanRequestedException} before more than a piece is transferred.
     */
    Mono<Loader.LoadResult> content(@Nullable String known, long limit) {
        return new Download(context).begun("download", name, known).map(begun -> whole(within(begun, limit)));
    }

    private static Download.Begun within(Download.Begun begun, long limit) {
        long size = begun.info().size();
        if (size > limit) {
            begun.close();
            throw new LongerThanRequestedException(size);
        }
        return begun;
    }

    private Loader.LoadResult whole(Download.Begun begun) {
        DownloadVerifier content = new DownloadVerifier(context, "download");
        Flux<ByteBuffer> pieces = begun.pieces().map(piece -> {
            content.add(piece);
            return ByteBuffer.wrap(piece.bytes());
        });
        Flux<ByteBuffer> body = Flux.using(
                () -> content,
                checking ->
                        pieces.concatWith(Mono.fromCallable(checking::checked).then(Mono.empty())),
                checking -> begun.close());
        return Loader.LoadResult.found(
                CachedProperties.headers(begun.info()), begun.info().size(), body);
    }

    Mono<Loader.LoadResult> range(long offset, int count, @Nullable String known) {
        return Mono.using(
                () -> context.service().memory().share(),
                share -> new RangeSource(context, name, "download")
                        .first(offset, count, share, known)
                        .map(piece -> Loader.LoadResult.found(
                                206,
                                CachedProperties.headers(piece.info()),
                                piece.bytes().length,
                                Flux.just(ByteBuffer.wrap(piece.bytes())))),
                TransferMemory.Share::close);
    }

    /** Reads the facts without a condition: they have no body to save, and may change while the ETag stays. */
    Mono<Loader.LoadResult> info() {
        return new PropertyReads(context)
                .of("info", name, null)
                .map(found -> Loader.LoadResult.found(CachedProperties.headers(found.info()), 0, Flux.empty()));
    }

    /**
     * The refusal of a blob that is longer than the reader who began its load may take; another reader may take more.
     */
    static final class LongerThanRequestedException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        private final long size;

        LongerThanRequestedException(long size) {
            super("the blob has " + size + " bytes");
            this.size = size;
        }

        long size() {
            return size;
        }
    }
}

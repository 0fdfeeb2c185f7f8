package io.stowline.blob.internal.cache;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.download.Download;
import io.stowline.blob.internal.download.DownloadVerifier;
import io.stowline.blob.internal.download.RangeReader;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.caching.Loader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads one blob for a cache, unless it is the version that the cache has. Serves one load. */
final class BlobCacheLoader {

    private final BlobContext scope;
    private final String name;

    BlobCacheLoader(BlobContext scope, String name) {
        this.scope = scope;
        this.name = name;
    }

    /** The content, unless it is longer than the limit: that is a {@link LongerThanRequestedException} before more than a piece is transferred. */
    Mono<Loader.Result> content(@Nullable String known, long limit) {
        return new Download(scope).begun("download", name, known).map(begun -> whole(within(begun, limit)));
    }

    private static Download.Begun within(Download.Begun begun, long limit) {
        long size = begun.facts().size();
        if (size > limit) {
            begun.close();
            throw new LongerThanRequestedException(size);
        }
        return begun;
    }

    private Loader.Result whole(Download.Begun begun) {
        DownloadVerifier content = new DownloadVerifier(scope, "download");
        Flux<ByteBuffer> pieces = begun.pieces().map(piece -> {
            content.add(piece);
            return ByteBuffer.wrap(piece.bytes());
        });
        Flux<ByteBuffer> body = Flux.using(
                () -> content,
                checking ->
                        pieces.concatWith(Mono.fromCallable(checking::checked).then(Mono.empty())),
                checking -> begun.close());
        return Loader.Result.found(
                CachedProperties.headers(begun.facts()), begun.facts().size(), body);
    }

    Mono<Loader.Result> range(long offset, int count, @Nullable String known) {
        return Mono.using(
                () -> scope.service().memory().share(),
                share -> new RangeReader(scope, name, "download")
                        .first(offset, count, share, known)
                        .map(piece -> Loader.Result.found(
                                206,
                                CachedProperties.headers(piece.facts()),
                                piece.bytes().length,
                                Flux.just(ByteBuffer.wrap(piece.bytes())))),
                TransferMemory.Share::close);
    }

    /** Without a condition: there is no body to save, and facts may change while the ETag stays. */
    Mono<Loader.Result> facts() {
        return scope.call(scope.read("properties", scope.resource(name)), () -> scope.blob(name)
                .getPropertiesWithResponse(null)
                .map(answer -> Loader.Result.found(
                        CachedProperties.headers(BlobInfoMapper.of(name, answer)), 0, Flux.empty())));
    }

    /** A blob is longer than the reader who began its load may take; another reader may take more. */
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

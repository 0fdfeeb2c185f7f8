package io.stowline.blob.internal;

import io.stowline.caching.Loaded;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads one blob for a cache, unless it is the version that the cache has. Serves one load. */
final class BlobLoads {

    private final BlobScope scope;
    private final String name;

    BlobLoads(BlobScope scope, String name) {
        this.scope = scope;
        this.name = name;
    }

    /** The content, unless it is longer than the limit: that is a {@link LongerThanAskedException} before more than a piece is transferred. */
    Mono<Loaded> content(@Nullable String known, long limit) {
        return Mono.defer(() -> {
            Ledger ledger = new Ledger(scope.service().buffered());
            return new Download(scope)
                    .begun("download", name, ledger, known)
                    .map(begun -> whole(within(begun, limit), ledger))
                    .doOnError(e -> ledger.close())
                    .doOnCancel(ledger::close);
        });
    }

    private static Download.Begun within(Download.Begun begun, long limit) {
        long size = begun.facts().size();
        if (size > limit) {
            throw new LongerThanAskedException(size);
        }
        return begun;
    }

    private Loaded whole(Download.Begun begun, Ledger ledger) {
        Content content = new Content(scope, "download");
        Flux<ByteBuffer> pieces = begun.pieces().map(piece -> {
            content.add(piece);
            ledger.free(piece.bytes().length);
            return ByteBuffer.wrap(piece.bytes());
        });
        Flux<ByteBuffer> body = Flux.using(
                () -> content,
                checking ->
                        pieces.concatWith(Mono.fromCallable(checking::checked).then(Mono.empty())),
                checking -> ledger.close());
        return Loaded.found(CachedFacts.headers(begun.facts()), begun.facts().size(), body);
    }

    Mono<Loaded> range(long offset, int count, @Nullable String known) {
        return Mono.using(
                () -> new Ledger(scope.service().buffered()),
                ledger -> new RangeReader(scope, name, "download", ledger)
                        .readUnless(offset, count, known)
                        .map(piece -> Loaded.found(
                                206,
                                CachedFacts.headers(piece.facts()),
                                piece.bytes().length,
                                Flux.just(ByteBuffer.wrap(piece.bytes())))),
                Ledger::close);
    }

    /** Without a condition: there is no body to save, and facts may change while the ETag stays. */
    Mono<Loaded> facts() {
        return scope.call(scope.read("properties", scope.resource(name)), () -> scope.blob(name)
                .getPropertiesWithResponse(null)
                .map(answer -> Loaded.found(CachedFacts.headers(Facts.of(name, answer.getValue())), 0, Flux.empty())));
    }
}

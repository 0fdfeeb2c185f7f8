package io.stowline.blob.internal;

import io.stowline.blob.BlobFacts;
import io.stowline.error.BadRequestException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads blobs in ranges of {@link #PIECE} bytes, several at a time and all of one version: the ETag of the first answer is the condition
 * of the others. The others begin where the first was answered, and the other place serves them if it has that version. What they give arrives on an I/O or timer thread. Thread-safe.
 */
public final class Download {

    static final int PIECE = 8 * 1024 * 1024;

    static final int PARALLELISM = 4;

    private final BlobScope scope;

    /**
     * The downloads from one container.
     *
     * @param scope the container
     */
    public Download(BlobScope scope) {
        this.scope = scope;
    }

    /** The content of a blob in its order; the reader frees the bytes of a piece when it has done with them. */
    Flux<Piece> pieces(String verb, String name, Ledger ledger) {
        return begun(verb, name, ledger, null).flatMapMany(Begun::pieces);
    }

    /** A download whose first piece is there: then it is known what the blob is. */
    record Begun(BlobFacts facts, Flux<Piece> pieces) {}

    /** Begins a download, but not of the version that is known: an {@link UnchangedException} if that is the present one. */
    Mono<Begun> begun(String verb, String name, Ledger ledger, @Nullable String known) {
        return Mono.defer(() -> {
            RangeReader reader = new RangeReader(scope, name, verb, ledger);
            return first(reader, name, known)
                    .map(first -> new Begun(first.facts(), Flux.just(first).concatWith(rest(reader, first))));
        });
    }

    /** What gives bytes only cannot say where they came from. */
    private Download atPrimary() {
        return new Download(scope.atPrimary());
    }

    /** An empty blob has no range, so that the service refuses the first one. */
    private Mono<Piece> first(RangeReader reader, String name, @Nullable String known) {
        return reader.readUnless(0, PIECE, known)
                .onErrorResume(
                        BadRequestException.class, e -> e.failure().status() == 416 ? nothing(name, e) : Mono.error(e));
    }

    private Mono<Piece> nothing(String name, BadRequestException refusal) {
        return new BlobVerbs(scope)
                .head(
                        "download",
                        name,
                        null,
                        answer -> new Piece(
                                Facts.of(name, answer.getValue()), 0, new byte[0], LocalFailure.Ids.of(answer)))
                .flatMap(piece -> piece.facts().size() == 0 ? Mono.just(piece) : Mono.error(refusal));
    }

    private static Flux<Piece> rest(RangeReader reader, Piece first) {
        BlobFacts facts = first.facts();
        long left = facts.size() - first.bytes().length;
        int pieces = Math.toIntExact((left + PIECE - 1) / PIECE);
        return Flux.range(0, pieces)
                .flatMapSequential(
                        i -> {
                            long offset = first.bytes().length + (long) i * PIECE;
                            int count = (int) Math.min(PIECE, facts.size() - offset);
                            return reader.read(offset, count, facts);
                        },
                        PARALLELISM,
                        1);
    }

    /**
     * The content of a blob as it arrives.
     *
     * @param name its name
     * @return the content in its order
     */
    public Flux<ByteBuffer> open(String name) {
        return Flux.using(
                () -> new Ledger(scope.service().buffered()),
                ledger -> atPrimary().pieces("open", name, ledger).map(piece -> {
                    ledger.free(piece.bytes().length);
                    return ByteBuffer.wrap(piece.bytes());
                }),
                Ledger::close);
    }

    /**
     * The whole content of a small blob.
     *
     * @param name its name
     * @param limit the most bytes that it may have
     * @return the content; an {@link IllegalStateException} if there is more of it
     */
    public Mono<byte[]> whole(String name, int limit) {
        return Mono.defer(() -> {
            checkLimit(limit);
            return Mono.using(
                    () -> new Ledger(scope.service().buffered()),
                    ledger -> {
                        Whole whole = new Whole(scope, "download", limit);
                        return atPrimary()
                                .pieces("download", name, ledger)
                                .doOnNext(piece -> {
                                    whole.add(piece);
                                    ledger.free(piece.bytes().length);
                                })
                                .then(Mono.fromCallable(whole::bytes));
                    },
                    Ledger::close);
        });
    }

    static void checkLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit is not negative, but was " + limit);
        }
    }
}

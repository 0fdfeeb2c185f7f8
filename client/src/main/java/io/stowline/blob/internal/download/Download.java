package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.BufferedBytes.BufferReservation;
import io.stowline.blob.internal.base.FluxCursor;
import io.stowline.blob.internal.download.RangeReader.RangeRequest.UnchangedException;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.error.BadRequestException;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.error.FailureFacts;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads blobs in ranges of {@link #PIECE} bytes, several at a time and all of one version: the ETag of the first answer is the condition
 * of the others. The others begin where the first was answered, and the other place serves them if it has that version. What they give arrives on an I/O or timer thread. Thread-safe.
 */
public final class Download {

    public static final int PIECE = 8 * 1024 * 1024;

    static final int PARALLELISM = 4;

    private final BlobContext scope;

    /** The downloads from one container. */
    public Download(BlobContext scope) {
        this.scope = scope;
    }

    /** The content of a blob in its order; the reader frees the bytes of a piece when it has done with them. */
    Flux<BlobPiece> pieces(String verb, String name, BufferReservation ledger) {
        return begun(verb, name, ledger, null).flatMapMany(Begun::pieces);
    }

    /** A download whose first piece is there: then it is known what the blob is. */
    public record Begun(BlobInfo facts, Flux<BlobPiece> pieces) {}

    /** Begins a download, but not of the version that is known: an {@link UnchangedException} if that is the present one. */
    public Mono<Begun> begun(String verb, String name, BufferReservation ledger, @Nullable String known) {
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
    private Mono<BlobPiece> first(RangeReader reader, String name, @Nullable String known) {
        return reader.readUnless(0, PIECE, known)
                .onErrorResume(
                        BadRequestException.class, e -> e.failure().status() == 416 ? nothing(name, e) : Mono.error(e));
    }

    private Mono<BlobPiece> nothing(String name, BadRequestException refusal) {
        return new BlobOperations(scope)
                .head(
                        "download",
                        name,
                        null,
                        answer -> new BlobPiece(
                                BlobInfoMapper.of(name, answer.getValue()),
                                0,
                                new byte[0],
                                FailureFacts.Ids.of(answer)))
                .flatMap(piece -> piece.facts().size() == 0 ? Mono.just(piece) : Mono.error(refusal));
    }

    private static Flux<BlobPiece> rest(RangeReader reader, BlobPiece first) {
        BlobInfo facts = first.facts();
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
     * @return the content in its order
     */
    public Flux<ByteBuffer> open(String name) {
        return Flux.using(
                () -> new BufferReservation(scope.service().buffered()),
                ledger -> atPrimary().pieces("open", name, ledger).map(piece -> {
                    ledger.free(piece.bytes().length);
                    return ByteBuffer.wrap(piece.bytes());
                }),
                BufferReservation::close);
    }

    /**
     * The whole content of a small blob.
     *
     * @param limit the most bytes that it may have
     * @return the content; an {@link IllegalStateException} if there is more of it
     */
    public Mono<byte[]> whole(String name, int limit) {
        return Mono.defer(() -> {
            checkLimit(limit);
            return Mono.using(
                    () -> new BufferReservation(scope.service().buffered()),
                    ledger -> {
                        InMemoryDownload whole = new InMemoryDownload(scope, "download", limit);
                        return atPrimary()
                                .pieces("download", name, ledger)
                                .doOnNext(piece -> {
                                    whole.add(piece);
                                    ledger.free(piece.bytes().length);
                                })
                                .then(Mono.fromCallable(whole::bytes));
                    },
                    BufferReservation::close);
        });
    }

    public static void checkLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit is not negative, but was " + limit);
        }
    }

    /** The pieces of one download, read on a thread that may block. Used by one thread; closing it ends the download. */
    static final class PieceCursor implements AutoCloseable {

        private final BufferReservation ledger;
        private final FluxCursor<BlobPiece> pieces;
        private int held;

        PieceCursor(BlobContext scope, String verb, String name) {
            this.ledger = new BufferReservation(scope.service().buffered());
            this.pieces = new FluxCursor<>(new Download(scope).pieces(verb, NameRules.blob(name), ledger));
        }

        /** The next piece, or null at the end; the one before is done with. */
        @Nullable
        BlobPiece next() {
            ledger.free(held);
            held = 0;
            if (!pieces.hasNext()) {
                return null;
            }
            BlobPiece piece = pieces.next();
            held = piece.bytes().length;
            return piece;
        }

        @Override
        public void close() {
            pieces.close();
            ledger.close();
        }
    }

    /** Puts the pieces of a small blob together. Serves one download. */
    public static final class InMemoryDownload {

        private final BlobContext scope;
        private final DownloadVerifier content;
        private final int limit;
        private byte @Nullable [] bytes;

        InMemoryDownload(BlobContext scope, String verb, int limit) {
            this.scope = scope;
            this.content = new DownloadVerifier(scope, verb);
            this.limit = limit;
        }

        void add(BlobPiece piece) {
            content.add(piece);
            byte[] all = bytes;
            if (all == null) {
                refuseBeyondLimit(piece);
                boolean single = piece.bytes().length == piece.facts().size();
                all = single ? piece.bytes() : new byte[(int) piece.facts().size()];
                bytes = all;
            }
            if (all != piece.bytes()) {
                System.arraycopy(piece.bytes(), 0, all, (int) piece.offset(), piece.bytes().length);
            }
        }

        private void refuseBeyondLimit(BlobPiece piece) {
            long size = piece.facts().size();
            if (size > limit) {
                throw beyond(scope.resource(piece.facts().name()), size, limit);
            }
        }

        public static IllegalStateException beyond(String resource, long size, int limit) {
            return new IllegalStateException(resource + " has " + size + " bytes, more than the limit of " + limit
                    + " for a download into memory; downloadTo and open have none");
        }

        byte[] bytes() {
            content.checked();
            return Objects.requireNonNull(bytes);
        }
    }
}

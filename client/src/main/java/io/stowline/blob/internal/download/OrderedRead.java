package io.stowline.blob.internal.download;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A blob that is read in its order at the pace of its reader. The first piece decides which version is read. One reader at a time; closing
 * comes from any thread.
 */
final class OrderedRead implements AutoCloseable {

    private final RangeReader reader;
    private final FirstRange first;
    private final ReadPlan plan;
    private final TransferMemory.Share share;
    private volatile @Nullable ReadAhead ahead;
    private volatile boolean closed;

    OrderedRead(BlobContext scope, String verb, String name, ReadPlan plan) {
        this.reader = new RangeReader(scope, name, verb);
        this.first = new FirstRange(scope, name, reader);
        this.plan = plan;
        this.share = scope.service().memory().share(this::giveUp);
    }

    private void giveUp() {
        ReadAhead running = ahead;
        if (running != null) {
            running.giveUp();
        }
    }

    /**
     * The first piece, but not of the version that is known: an {@link RangeReader.RangeRequest.UnchangedException} if that is the present
     * one. The rest is read by {@link #next}.
     */
    Mono<BlobPiece> first(@Nullable String known) {
        return Mono.deferContextual(seen -> first.read(plan, share, known).doOnNext(piece -> {
            long size = piece.facts().size();
            long end = Math.max(plan.end(size), plan.from());
            ReadAhead rest = new ReadAhead(
                    reader,
                    piece.version(),
                    share,
                    new ReadAhead.Part(
                            plan.from() + piece.bytes().length, end, plan.rangeSize(), plan.rangeSize(), plan.depth()),
                    seen);
            rest.hold(piece.bytes().length);
            ahead = rest;
            if (closed) {
                rest.close();
            }
        }));
    }

    /** The next piece, or nothing at the end; the one before is done with. */
    Mono<BlobPiece> next() {
        return Mono.defer(() -> {
            ReadAhead running = ahead;
            return running == null ? first(null) : running.next();
        });
    }

    /** The bytes of the last piece have other owners now. */
    void free() {
        ReadAhead running = ahead;
        if (running != null) {
            running.free();
        }
    }

    /** The pieces after the last one. */
    Flux<BlobPiece> rest() {
        return next().map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .repeat()
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow);
    }

    @Override
    public void close() {
        closed = true;
        ReadAhead running = ahead;
        if (running != null) {
            running.close();
        }
        share.close();
    }
}

package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.range.ReadPlan;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A blob that is read in its order at the pace of its reader. The first piece decides which version is read. One reader at a time; closing
 * comes from any thread.
 */
public final class OrderedRead implements AutoCloseable {

    private final RangeSource reader;
    private final ReadPlan plan;
    private final TransferMemory.Share share;
    private volatile @Nullable ReadAhead ahead;
    private volatile long length;
    private volatile @Nullable BlobInfo info;
    private volatile boolean closed;

    public OrderedRead(BlobContext context, String verb, String name, ReadPlan plan) {
        this.reader = new RangeSource(context, name, verb);
        this.plan = plan;
        this.share = context.service().memory().share(this::giveUp, this::letGo);
    }

    private void giveUp() {
        ReadAhead running = ahead;
        if (running != null) {
            running.giveUp();
        }
    }

    private void letGo() {
        ReadAhead running = ahead;
        if (running != null) {
            running.letGo();
        }
    }

    /**
     * Returns the first piece, but not of the known version: it fails with an {@link
     * RangeSource.RangeRequest.UnchangedException} if that is the present one.
     */
    public Mono<BlobPiece> first(@Nullable String known) {
        return begun(known).map(ReadAhead::slice);
    }

    private Mono<ReadAhead> begun(@Nullable String known) {
        return Mono.deferContextual(seen -> reader.first(plan, share, known).map(piece -> {
            long size = piece.info().size();
            long end = Math.max(plan.end(size), plan.from());
            ReadAhead begun = ReadAhead.begun(
                    reader,
                    piece,
                    share,
                    new PrefetchWindow.PrefetchBounds(
                            plan.from(), end, plan.rangeSize(), plan.rangeSize(), plan.depth()),
                    seen);
            length = end - plan.from();
            info = piece.info();
            ahead = begun;
            if (closed) {
                begun.close();
            } else if (share.othersWait()) {
                begun.giveUp();
            }
            return begun;
        }));
    }

    /** Returns the next piece, which belongs to its receiver, or nothing at the end. */
    Mono<BlobPiece> next() {
        return Mono.defer(() -> {
            ReadAhead running = ahead;
            return running == null
                    ? first(null)
                    : running.ready().filter(more -> more).map(more -> running.slice());
        });
    }

    /** Waits for bytes, with the first request if need be: false at the end. After the first request a reader may pause with all of them. */
    Mono<Boolean> ready() {
        return Mono.defer(() -> {
            ReadAhead running = ahead;
            return running == null
                    ? begun(null).flatMap(begun -> begun.ready().doOnNext(more -> begun.pause()))
                    : running.ready();
        });
    }

    /** Takes bytes that are there; 0 if {@link #ready} has to be waited for. */
    int read(byte[] target, int offset, int length) {
        ReadAhead running = ahead;
        return running == null ? 0 : running.read(target, offset, length);
    }

    /** Returns the bytes of the whole read, once the first of them have arrived. */
    public long length() {
        return length;
    }

    /** Returns the blob in the version that is read, once its first piece has arrived. */
    BlobInfo info() {
        return Objects.requireNonNull(info, "no piece has been read");
    }

    /** Returns the number of bytes that have arrived. */
    int available() {
        ReadAhead running = ahead;
        return running == null ? 0 : running.available();
    }

    /** Returns the pieces after the last one. */
    public Flux<BlobPiece> rest() {
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

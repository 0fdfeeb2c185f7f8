package io.stowline.blob.internal.append;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobSnapshot;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The outcome of an append whose response was lost. It was for one position, which is taken once only: the bytes that
 * stand there now decide. A blob can be emptied and filled again without being made again, so that other bytes there,
 * or none, prove something only if the blob was last written before the first attempt.
 */
final class AppendOutcome {

    private static final String VERB = "append";
    private static final int PIECE = 8 * 1024 * 1024;

    private final BlobContext context;
    private final String name;
    private final byte[] bytes;
    private final long at;

    AppendOutcome(BlobContext context, String name, byte[] bytes, long at) {
        this.context = context;
        this.name = name;
        this.bytes = bytes;
        this.at = at;
    }

    Mono<BlobWriteResult> settle(OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        Mono<ReadBackResult<BlobWriteResult>> readBack =
                BlobReadBack.atBlob(context, VERB, name, unresolved).flatMap(seen -> judged(seen, end, unresolved));
        return BlobReadBack.settle(context, end, unresolved, readBack);
    }

    private Mono<ReadBackResult<BlobWriteResult>> judged(
            BlobSnapshot seen, OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        long length = seen.info().size();
        boolean refused = AppendOperations.MOVED.equals(end.failure().errorCode());
        if (length < 0) {
            return holdsContent(unresolved)
                    .map(same -> same
                            ? recovered(seen)
                            : new ReadBackResult.Unproven<>(
                                    "the response does not give the length of the blob, whose bytes" + " from position "
                                            + at + " on are others than those of the append"));
        }
        if (length < at || (length == at && refused)) {
            return Mono.just(new ReadBackResult.Unproven<>(
                    "the blob has " + length + " bytes now, fewer than before; the append was for position " + at));
        }
        if (length == at) {
            return Mono.just(stillThere(seen, unresolved));
        }
        if (length < at + bytes.length) {
            return Mono.just(taken(seen, unresolved));
        }
        return holdsContent(unresolved).map(same -> same ? recovered(seen) : taken(seen, unresolved));
    }

    private ReadBackResult<BlobWriteResult> recovered(BlobSnapshot seen) {
        return new ReadBackResult.ProvenDone<>(BlobWriteResult.recoveredAppend(seen.written(), at, at + bytes.length));
    }

    private ReadBackResult<BlobWriteResult> stillThere(BlobSnapshot seen, UnresolvedAttempts unresolved) {
        if (!unresolved.isOver()) {
            return new ReadBackResult.Open<>();
        }
        return seen.writtenBefore(unresolved)
                ? new ReadBackResult.ProvenRefused<>(
                        "the blob still ends at position " + at + ", which the append was for")
                : new ReadBackResult.Unproven<>("the blob ends at position " + at
                        + " and may have been written after the first attempt (the service's time has whole seconds):"
                        + " it may have been emptied");
    }

    private ReadBackResult<BlobWriteResult> taken(BlobSnapshot seen, UnresolvedAttempts unresolved) {
        String what = "other bytes stand at position " + at + ", and the blob has "
                + seen.info().size() + " bytes now";
        if (!seen.writtenBefore(unresolved)) {
            return new ReadBackResult.Unproven<>(
                    what + "; it may have been emptied and filled since the first attempt");
        }
        return unresolved.isOver() ? new ReadBackResult.ProvenRefused<>(what) : new ReadBackResult.Open<>();
    }

    /** Sets no condition on the version: the bytes of an append blob stay while others are added. */
    private Mono<Boolean> holdsContent(UnresolvedAttempts unresolved) {
        int pieces = (bytes.length + PIECE - 1) / PIECE;
        return Flux.range(0, pieces)
                .concatMap(i -> holdsPiece(i * PIECE, unresolved), 0)
                .all(same -> same);
    }

    private Mono<Boolean> holdsPiece(int from, UnresolvedAttempts unresolved) {
        int to = Math.min(bytes.length, from + PIECE);
        return Mono.using(
                () -> context.service().memory().share(),
                share -> new RangeSource(context.atPrimary(), name, VERB)
                        .within(unresolved.deadline())
                        .first(at + from, to - from, share, null)
                        .map(piece -> Arrays.equals(piece.bytes(), Arrays.copyOfRange(bytes, from, to))),
                TransferMemory.Share::close);
    }
}

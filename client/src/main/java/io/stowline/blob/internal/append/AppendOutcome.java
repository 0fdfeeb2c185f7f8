package io.stowline.blob.internal.append;

import io.stowline.blob.AppendResult;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.download.RangeReader;
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
 * What becomes of an append whose answer was lost. It was for one position, which is taken once only: the bytes that stand there now
 * tell. A blob can be emptied and filled again without being made again, so that other bytes there, or none, prove something only if the
 * blob was last written before the first attempt.
 */
final class AppendOutcome {

    private static final String VERB = "append";
    private static final int PIECE = 8 * 1024 * 1024;

    private final BlobContext scope;
    private final String name;
    private final byte[] bytes;
    private final long at;

    AppendOutcome(BlobContext scope, String name, byte[] bytes, long at) {
        this.scope = scope;
        this.name = name;
        this.bytes = bytes;
        this.at = at;
    }

    Mono<AppendResult> settle(OutcomeUnknownException end, UnresolvedAttempts doubt) {
        Mono<ReadBackResult<AppendResult>> look =
                BlobReadBack.atBlob(scope, VERB, name, doubt).flatMap(seen -> judged(seen, end, doubt));
        return BlobReadBack.settle(scope, end, doubt, look);
    }

    private Mono<ReadBackResult<AppendResult>> judged(
            BlobSnapshot seen, OutcomeUnknownException end, UnresolvedAttempts doubt) {
        long length = seen.facts().size();
        boolean refused = AppendOperations.MOVED.equals(end.failure().errorCode());
        if (length < 0) {
            return holdsContent(doubt)
                    .map(same -> same
                            ? recovered(seen)
                            : new ReadBackResult.Unknown<>(
                                    "the response does not give the length of the blob, whose bytes" + " from position "
                                            + at + " on are others than those of the append"));
        }
        if (length < at || (length == at && refused)) {
            return Mono.just(new ReadBackResult.Unknown<>(
                    "the blob has " + length + " bytes now, fewer than before; the append was for position " + at));
        }
        if (length == at) {
            return Mono.just(stillThere(seen, doubt));
        }
        if (length < at + bytes.length) {
            return Mono.just(taken(seen, doubt));
        }
        return holdsContent(doubt).map(same -> same ? recovered(seen) : taken(seen, doubt));
    }

    private ReadBackResult<AppendResult> recovered(BlobSnapshot seen) {
        return new ReadBackResult.Done<>(AppendResult.recovered(seen.written(), at, at + bytes.length));
    }

    private ReadBackResult<AppendResult> stillThere(BlobSnapshot seen, UnresolvedAttempts doubt) {
        if (!doubt.over()) {
            return new ReadBackResult.Open<>();
        }
        return seen.writtenBefore(doubt)
                ? new ReadBackResult.Refused<>("the blob still ends at position " + at + ", which the append was for")
                : new ReadBackResult.Unknown<>("the blob ends at position " + at
                        + " and may have been written after the first attempt (the service's time has whole seconds):"
                        + " it may have been emptied");
    }

    private ReadBackResult<AppendResult> taken(BlobSnapshot seen, UnresolvedAttempts doubt) {
        String what = "other bytes stand at position " + at + ", and the blob has "
                + seen.facts().size() + " bytes now";
        if (!seen.writtenBefore(doubt)) {
            return new ReadBackResult.Unknown<>(what + "; it may have been emptied and filled since the first attempt");
        }
        return doubt.over() ? new ReadBackResult.Refused<>(what) : new ReadBackResult.Open<>();
    }

    /** Without a condition on the version: the bytes of an append blob stay while others are added. */
    private Mono<Boolean> holdsContent(UnresolvedAttempts doubt) {
        int pieces = (bytes.length + PIECE - 1) / PIECE;
        return Flux.range(0, pieces)
                .concatMap(i -> holdsPiece(i * PIECE, doubt), 0)
                .all(same -> same);
    }

    private Mono<Boolean> holdsPiece(int from, UnresolvedAttempts doubt) {
        int to = Math.min(bytes.length, from + PIECE);
        return Mono.using(
                () -> scope.service().memory().share(),
                share -> new RangeReader(scope.atPrimary(), name, VERB)
                        .within(doubt.deadline())
                        .first(at + from, to - from, share, null)
                        .map(piece -> Arrays.equals(piece.bytes(), Arrays.copyOfRange(bytes, from, to))),
                TransferMemory.Share::close);
    }
}

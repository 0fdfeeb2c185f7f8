package io.stowline.blob.internal;

import io.stowline.blob.Appended;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Finding;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What becomes of an append whose answer was lost. It was for one position, which is taken once only: the bytes that stand there now
 * tell. A blob can be emptied and filled again without being made anew, so that other bytes there, or none, prove something only if the
 * blob was last written before the first attempt.
 */
final class AppendOutcome {

    private static final String VERB = "append";
    private static final int PIECE = 8 * 1024 * 1024;

    private final BlobScope scope;
    private final String name;
    private final byte[] bytes;
    private final long at;

    AppendOutcome(BlobScope scope, String name, byte[] bytes, long at) {
        this.scope = scope;
        this.name = name;
        this.bytes = bytes;
        this.at = at;
    }

    Mono<Appended> settle(OutcomeUnknownException end, Doubt doubt) {
        Mono<Finding<Appended>> look = Looks.atBlob(scope, VERB, name, doubt).flatMap(seen -> judged(seen, end, doubt));
        return Settled.of(scope, end, doubt, look);
    }

    private Mono<Finding<Appended>> judged(Seen seen, OutcomeUnknownException end, Doubt doubt) {
        long length = seen.facts().size();
        boolean refused = AppendVerbs.MOVED.equals(end.failure().errorCode());
        if (length < at || (length == at && refused)) {
            return Mono.just(new Finding.Unknown<>(
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

    private Finding<Appended> recovered(Seen seen) {
        return new Finding.Done<>(Appended.recovered(seen.written(), at, at + bytes.length));
    }

    private Finding<Appended> stillThere(Seen seen, Doubt doubt) {
        if (!doubt.over()) {
            return new Finding.Open<>();
        }
        return seen.writtenBefore(doubt)
                ? new Finding.Refused<>("the blob still ends at position " + at + ", which the append was for")
                : new Finding.Unknown<>("the blob ends at position " + at
                        + " and was written since the first attempt: it may have been emptied");
    }

    private Finding<Appended> taken(Seen seen, Doubt doubt) {
        String what = "other bytes stand at position " + at + ", and the blob has "
                + seen.facts().size() + " bytes now";
        if (!seen.writtenBefore(doubt)) {
            return new Finding.Unknown<>(what + "; it may have been emptied and filled since the first attempt");
        }
        return doubt.over() ? new Finding.Refused<>(what) : new Finding.Open<>();
    }

    /** Without a condition on the version: the bytes of an append blob stay while others are added. */
    private Mono<Boolean> holdsContent(Doubt doubt) {
        int pieces = (bytes.length + PIECE - 1) / PIECE;
        return Flux.range(0, pieces)
                .concatMap(i -> holdsPiece(i * PIECE, doubt), 0)
                .all(same -> same);
    }

    private Mono<Boolean> holdsPiece(int from, Doubt doubt) {
        int to = Math.min(bytes.length, from + PIECE);
        return Mono.using(
                () -> new Ledger(scope.service().buffered()),
                ledger -> new RangeReader(scope.atPrimary(), name, VERB, ledger)
                        .within(doubt.deadline())
                        .read(at + from, to - from, (String) null)
                        .map(piece -> Arrays.equals(piece.bytes(), Arrays.copyOfRange(bytes, from, to))),
                Ledger::close);
    }
}

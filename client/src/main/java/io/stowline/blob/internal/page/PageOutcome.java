package io.stowline.blob.internal.page;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobSnapshot;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The outcome of a change of a page blob whose response was lost. The state that the change wanted decides, also where another client made it; another
 * state proves something only if the blob was last written before the first attempt.
 */
final class PageOutcome {

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final String thing;
    private final Function<UnresolvedAttempts, Mono<Boolean>> asWanted;

    /**
     * The outcome of one change.
     *
     * @param thing the changed thing, for errors
     * @param asWanted reads whether it is now as the change wanted it
     */
    PageOutcome(
            BlobContext context,
            String verb,
            String name,
            String thing,
            Function<UnresolvedAttempts, Mono<Boolean>> asWanted) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.thing = thing;
        this.asWanted = asWanted;
    }

    Mono<WriteResult> settle(OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        Mono<ReadBackResult<WriteResult>> readBack = asWanted.apply(unresolved)
                .flatMap(same -> same
                        ? Mono.just(new ReadBackResult.ProvenDone<>(
                                WriteResult.recovered("", Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT))))
                        : BlobReadBack.atBlob(context, verb, name, unresolved)
                                .map(seen -> otherwise(seen, unresolved)));
        return BlobReadBack.settle(context, end, unresolved, readBack);
    }

    private ReadBackResult<WriteResult> otherwise(BlobSnapshot seen, UnresolvedAttempts unresolved) {
        if (seen.writtenBefore(unresolved)) {
            return ReadBackResult.onceOver(
                    unresolved, thing + " is as before, and the blob was last written before the first attempt");
        }
        return unresolved.isOver()
                ? new ReadBackResult.Unproven<>(thing + " is not as it was to be, and the blob may have been written"
                        + " since the first attempt (the service's time has whole seconds)")
                : new ReadBackResult.Open<>();
    }
}

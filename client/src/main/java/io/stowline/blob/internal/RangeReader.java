package io.stowline.blob.internal;

import io.stowline.error.StorageException;
import io.stowline.retry.Deadline;
import io.stowline.retry.Ended;
import io.stowline.retry.RetryCall;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.Verdict;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Operation;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.channel.AbortedException;

/**
 * Reads ranges of one blob. A body that breaks off is resumed where it did, with If-Match on the ETag that the first answer named, as
 * often and as patiently as the settings say. (The SDK's own resume takes no settings, and after a refusal it waits out all its retries
 * before it tells.) Each range has one deadline. Thread-safe.
 */
final class RangeReader {

    private final BlobScope scope;
    private final String name;
    private final String verb;
    private final Ledger ledger;

    RangeReader(BlobScope scope, String name, String verb, Ledger ledger) {
        this.scope = scope;
        this.name = BlobNames.check(name);
        this.verb = verb;
        this.ledger = ledger;
    }

    /** The range, or as much of it as the blob has; of this version, or of the present one if {@code etag} is null. */
    Mono<Piece> read(long offset, int count, @Nullable String etag) {
        return Mono.defer(() -> {
            RetrySettings settings = TransferTimes.of(scope.retry(), count);
            Operation operation = Operation.of(verb, scope.resource(name), Effect.READ, settings);
            RangeAsked asked = new RangeAsked(name, offset, count, etag);
            RangeAttempts range = new RangeAttempts(scope, operation, asked, ledger);
            Scheduler timer = scope.service().timer();
            Deadline deadline = Deadline.in(settings.deadline(), timer);
            return scope.service()
                    .engine()
                    .execute(RetryCall.<Piece>of(
                            settings, deadline, (piece, error) -> judge(error), attempt -> range.next()
                                    .timeout(deadline.remaining(), timer)))
                    .flatMap(ended -> settle(range, ended));
        });
    }

    /** Refusals have been retried further down; here it is about bodies only. */
    private static Verdict judge(@Nullable Throwable error) {
        if (error == null) {
            return Verdict.success();
        }
        return broken(error) ? Verdict.retryNow(reason(error)) : Verdict.never(reason(error));
    }

    private static boolean broken(Throwable error) {
        return error instanceof IOException || error instanceof TimeoutException || error instanceof AbortedException;
    }

    private static String reason(Throwable error) {
        return error.getClass().getSimpleName();
    }

    private static Mono<Piece> settle(RangeAttempts range, Ended<Piece> ended) {
        if (ended.succeeded()) {
            return Mono.just(Objects.requireNonNull(ended.value()));
        }
        Throwable error = Objects.requireNonNull(ended.error());
        return Mono.error(
                error instanceof StorageException || !broken(error) ? error : range.unreachable(ended, error));
    }
}

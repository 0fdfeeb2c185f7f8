package io.stowline.blob.internal;

import io.stowline.blob.BlobFacts;
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
    private final @Nullable Deadline within;

    RangeReader(BlobScope scope, String name, String verb, Ledger ledger) {
        this(scope, name, verb, ledger, null);
    }

    private RangeReader(BlobScope scope, String name, String verb, Ledger ledger, @Nullable Deadline within) {
        this.scope = scope;
        this.name = BlobNames.check(name);
        this.verb = verb;
        this.ledger = ledger;
        this.within = within;
    }

    /** The same as a part of a write that is read back, within its deadline and first in line. */
    RangeReader within(Deadline deadline) {
        return new RangeReader(scope, name, verb, ledger, deadline);
    }

    /** The range, or as much of it as the blob has; of this version, or of the present one if {@code etag} is null. */
    Mono<Piece> read(long offset, int count, @Nullable String etag) {
        return read(new RangeAsked(name, offset, count, etag, null, null));
    }

    /** The same of the present version, but for the one that is known: an {@link UnchangedException} if it is that. */
    Mono<Piece> readUnless(long offset, int count, @Nullable String known) {
        return read(new RangeAsked(name, offset, count, null, null, known));
    }

    /** The same of a version that was found; the other place may have it, too, and if it has another that means nothing. */
    Mono<Piece> read(long offset, int count, BlobFacts version) {
        return read(new RangeAsked(name, offset, count, version.etag(), version.origin(), null));
    }

    private Mono<Piece> read(RangeAsked asked) {
        return Mono.defer(() -> {
            RetrySettings settings = TransferTimes.of(scope.retry(), asked.count());
            Scheduler timer = scope.service().timer();
            Deadline deadline = within == null ? Deadline.in(settings.deadline(), timer) : within;
            Operation alone = Operation.of(verb, scope.resource(name), Effect.READ, settings);
            Operation operation = within == null ? alone : alone.within(deadline);
            RangeAttempts range = new RangeAttempts(scope, operation, asked, ledger);
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

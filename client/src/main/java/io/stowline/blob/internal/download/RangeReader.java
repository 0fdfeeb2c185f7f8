package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.blob.internal.base.BufferedBytes.BufferReservation;
import io.stowline.blob.internal.download.RangeReader.RangeRequest.UnchangedException;
import io.stowline.retry.Deadline;
import io.stowline.retry.RetryResult;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.RetryTimeoutException;
import io.stowline.retry.Verdict;
import io.stowline.retry.engine.RetryCall;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.NameRules;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
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
public final class RangeReader {

    private final BlobContext scope;
    private final String name;
    private final String verb;
    private final BufferReservation ledger;
    private final @Nullable Deadline within;

    public RangeReader(BlobContext scope, String name, String verb, BufferReservation ledger) {
        this(scope, name, verb, ledger, null);
    }

    private RangeReader(
            BlobContext scope, String name, String verb, BufferReservation ledger, @Nullable Deadline within) {
        this.scope = scope;
        this.name = NameRules.blob(name);
        this.verb = verb;
        this.ledger = ledger;
        this.within = within;
    }

    /** The same as a part of a write that is read back, within its deadline and first in line. */
    public RangeReader within(Deadline deadline) {
        return new RangeReader(scope, name, verb, ledger, deadline);
    }

    /** The range, or as much of it as the blob has; of this version, or of the present one if {@code etag} is null. */
    public Mono<BlobPiece> read(long offset, int count, @Nullable String etag) {
        return read(new RangeRequest(name, offset, count, etag, null, null));
    }

    /** The same of the present version, but for the one that is known: an {@link UnchangedException} if it is that. */
    public Mono<BlobPiece> readUnless(long offset, int count, @Nullable String known) {
        return read(new RangeRequest(name, offset, count, null, null, known));
    }

    /** The same of a version that was found; the other place may have it, too, and if it has another that means nothing. */
    Mono<BlobPiece> read(long offset, int count, BlobInfo version) {
        return read(new RangeRequest(name, offset, count, version.etag(), version.origin(), null));
    }

    private Mono<BlobPiece> read(RangeRequest asked) {
        return Mono.defer(() -> {
            Scheduler timer = scope.service().timer();
            Deadline deadline = within == null ? scope.deadline() : within;
            RetrySettings patience =
                    within == null ? scope.retry() : scope.retry().forReadBack();
            Operation alone = Operation.of(
                    verb, scope.resource(name), OperationType.READ, TransferTimes.of(patience, asked.count()));
            Operation operation = within == null ? alone : alone.within(deadline);
            RangeAttempts range = new RangeAttempts(scope, operation, asked, ledger);
            return scope.service()
                    .engine()
                    .execute(RetryCall.<BlobPiece>of(
                            operation.settings(), deadline, (piece, error) -> judge(error), attempt -> range.next()
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

    private static Mono<BlobPiece> settle(RangeAttempts range, RetryResult<BlobPiece> ended) {
        if (ended.succeeded()) {
            return Mono.just(Objects.requireNonNull(ended.value()));
        }
        Throwable error = Objects.requireNonNull(ended.error());
        return Mono.error(broken(error) || unstarted(error) ? range.failed(ended, error) : error);
    }

    /** No attempt came of it, for want of time or because the client is closed. */
    private static boolean unstarted(Throwable error) {
        return error instanceof RetryTimeoutException || error instanceof RejectedExecutionException;
    }

    /**
     * A range to read.
     *
     * @param name the blob
     * @param offset where it begins
     * @param count how many bytes at the most
     * @param etag the version to read, or {@code null} for the present one
     * @param found where that version was found, or {@code null} if it is for this read to find one
     * @param unless the version that is not to be read, since it is known, or {@code null}
     */
    public record RangeRequest(
            String name,
            long offset,
            int count,
            @Nullable String etag,
            @Nullable ReadOrigin found,
            @Nullable String unless) {

        /** The version that is not to be read is still the present one. No error to anybody but the reader of a body. */
        public static final class UnchangedException extends RuntimeException {

            private static final long serialVersionUID = 1L;

            UnchangedException() {
                super("unchanged", null, false, false);
            }
        }
    }
}

package io.stowline.blob.internal.download;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.TransferTimes;
import io.stowline.blob.internal.download.RangeReader.RangeRequest.UnchangedException;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.retry.Deadline;
import io.stowline.retry.RetryResult;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.RetryTimeoutException;
import io.stowline.retry.Verdict;
import io.stowline.retry.engine.RetryCall;
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

    /** The direct memory that a range in flight has beside its bytes. */
    static final int DIRECT = 128 << 10;

    private final BlobContext scope;
    private final String name;
    private final String verb;
    private final @Nullable Deadline within;

    public RangeReader(BlobContext scope, String name, String verb) {
        this(scope, name, verb, null);
    }

    private RangeReader(BlobContext scope, String name, String verb, @Nullable Deadline within) {
        this.scope = scope;
        this.name = NameRules.blob(name);
        this.verb = verb;
        this.within = within;
    }

    /** The same as a part of a write that is read back, within its deadline and first in line. */
    public RangeReader within(Deadline deadline) {
        return new RangeReader(scope, name, verb, deadline);
    }

    /**
     * The range of the present version, or as much of it as the blob has.
     *
     * @param share counts its bytes once their number is known
     * @param known the version that is not to be read: an {@link UnchangedException} if it is the present one; or {@code null}
     */
    public Mono<BlobPiece> first(long offset, int count, TransferMemory.Share share, @Nullable String known) {
        return read(new RangeRequest(name, offset, count, null, known), share);
    }

    /** A range of a version that was found, for which its reader has the memory. Another place may have that version, too. */
    Mono<BlobPiece> read(long offset, int count, PinnedVersion version) {
        return read(new RangeRequest(name, offset, count, version, null), null);
    }

    private Mono<BlobPiece> read(RangeRequest asked, TransferMemory.@Nullable Share share) {
        return Mono.defer(() -> {
            Scheduler timer = scope.service().timer();
            Deadline deadline = within == null ? scope.deadline() : within;
            RetrySettings patience =
                    within == null ? scope.retry() : scope.retry().forReadBack();
            Operation alone = Operation.of(
                    verb, scope.resource(name), OperationType.READ, TransferTimes.of(patience, asked.count()));
            Operation operation = within == null ? alone : alone.within(deadline);
            RangeAttempts range = new RangeAttempts(scope, operation, asked, share);
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
     * @param version the version to read, or {@code null} for the present one
     * @param unless the version that is not to be read, since it is known, or {@code null}
     */
    public record RangeRequest(
            String name,
            long offset,
            int count,
            @Nullable PinnedVersion version,
            @Nullable String unless) {

        /** The version that is not to be read is still the present one. No error but to the reader of a body. */
        public static final class UnchangedException extends RuntimeException {

            private static final long serialVersionUID = 1L;

            UnchangedException() {
                super("unchanged", null, false, false);
            }
        }
    }
}

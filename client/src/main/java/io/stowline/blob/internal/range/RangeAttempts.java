package io.stowline.blob.internal.range;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.range.ArrivingRange.NoMemoryException;
import io.stowline.blob.internal.range.RangeSource.RangeRequest;
import io.stowline.blob.internal.range.RangeSource.RangeRequest.UnchangedException;
import io.stowline.blob.internal.range.RangeSource.RangeTarget;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.RetryListener;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.BadRequestException;
import io.stowline.error.FailureDetails;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.ResolvedMono;
import io.stowline.transport.internal.pipeline.Exchange;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/** The attempts of one range, each of which begins where the one before broke off. One at a time. */
final class RangeAttempts {

    /** The most responses with less than the requested bytes. */
    private static final int MAX_SHORT = 100;

    private final BlobContext context;
    private final RangeRequest requested;
    private final RetrySettings settings;
    private final @Nullable Deadline within;
    private final TransferMemory.@Nullable Share share;
    private final ArrivingRange range;
    private final Standstill standstill;
    private int shortResponses;
    private boolean moved;

    RangeAttempts(
            BlobContext context,
            RangeRequest requested,
            RetrySettings settings,
            @Nullable Deadline within,
            TransferMemory.@Nullable Share share,
            RangeTarget.Choice choice,
            ContextView seen) {
        this.context = context;
        this.requested = requested;
        this.settings = settings;
        this.within = within;
        this.share = share;
        this.range = new ArrivingRange(context, requested, share, choice, RetryListener.in(seen));
        // The first range of a transfer of many blobs is one of its later parts.
        boolean first = requested.version() == null && ProgressMeter.in(seen) == null;
        Scheduler timer = context.service().timer();
        this.standstill = first ? new Standstill(timer, settings.deadline()) : new Standstill(timer);
    }

    /** A reader at its caller's pace never waits for memory: it begins with the piece that every reader may have. */
    private Mono<BlobPiece> readUncounted() {
        range.limit(RangeSource.UNCOUNTED);
        return next();
    }

    /** Others wait for memory, so this range waits too, and is requested again then. */
    private Mono<BlobPiece> readWithMemory(long size) {
        TransferMemory.Share counts = Objects.requireNonNull(share);
        return counts.take(size).flatMap(reserved -> {
            range.granted(size);
            return next();
        });
    }

    /** Returns the range, whose bytes are counted if it has a share. Called again for the bytes that are still missing. */
    Mono<BlobPiece> next() {
        return new ResolvedMono<>(
                context.calls()
                        .direct()
                        .observed(
                                requested.verb(),
                                () -> context.resource(requested.name()),
                                this::exchange,
                                this::piece),
                piece -> piece.orElseThrow(ShortRangeException::new),
                this::resolved);
    }

    private Mono<BlobPiece> resolved(Throwable end) {
        if (end instanceof ShortRangeException) {
            return next();
        }
        if (end instanceof NoMemoryException full) {
            return Objects.requireNonNull(share).yields() ? readUncounted() : readWithMemory(full.bytes());
        }
        if (end instanceof PreconditionFailedException refused) {
            return retryElsewhere(refused);
        }
        if (end instanceof BadRequestException refused) {
            return Mono.error(asMadeAgain(refused));
        }
        return Mono.error(end instanceof UnreachableException unreachable ? brokenOff(unreachable) : end);
    }

    private Exchange<StorageResponse> exchange() {
        Exchange<StorageResponse> plain = range.request(settings);
        Deadline given = within;
        Exchange<StorageResponse> next = given == null
                ? plain.routed(context.reads().sameVersion(range.found()))
                        .with(options -> options.countingStandstill(standstill))
                : plain.with(options -> options.within(given));
        range.sentBy(next);
        return next;
    }

    /** One place has sent a part of a version that the other place, which was tried next, may just not have. */
    private Mono<BlobPiece> retryElsewhere(PreconditionFailedException refused) {
        ReadOrigin found = range.found();
        boolean again = requested.version() == null && found != null && found.secondary() && !moved;
        moved = true;
        return again ? next() : Mono.error(refused);
    }

    /** An append blob, whose ranges have no condition, has fewer bytes than it had: it was made again. */
    private Throwable asMadeAgain(BadRequestException refused) {
        PinnedVersion known = range.version();
        return known != null && known.ifMatch() == null && refused.failure().status() == 416
                ? new PreconditionFailedException(refused.failure(), refused)
                : refused;
    }

    /** Empty if the response was whole and had fewer bytes than requested. */
    private Optional<BlobPiece> piece(StorageResponse response, Exchange<StorageResponse> exchange) {
        if (response.status() == 304) {
            throw new UnchangedException();
        }
        FailureFacts.Ids ids =
                new FailureFacts.Ids(exchange.clientRequestId(), response.header(StorageResponse.REQUEST_ID));
        if (range.isComplete()) {
            return Optional.of(range.piece(ids));
        }
        if (shortResponses++ < MAX_SHORT) {
            return Optional.empty();
        }
        throw new ProtocolException(
                FailureFacts.of(requested.verb(), context.resource(requested.name()))
                        .ids(ids)
                        .tried(1, 0, Duration.ZERO)
                        .status(response.status(), null)
                        .because("responses have less than was requested", MAX_SHORT + " of them in a range"),
                null);
    }

    /** The end of a response that was whole and had fewer bytes than requested. */
    private static final class ShortRangeException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ShortRangeException() {
            super("a part of the range is missing", null, false, false);
        }
    }

    private UnreachableException brokenOff(UnreachableException end) {
        String arrived = range.arrived();
        if (arrived == null) {
            return end;
        }
        FailureDetails known = end.failure();
        return new UnreachableException(
                new FailureDetails(
                        known.operation(),
                        known.resource(),
                        known.status(),
                        known.errorCode(),
                        known.message() + "; the body broke off after " + arrived,
                        known.attempts(),
                        known.unansweredAttempts(),
                        known.elapsed(),
                        known.retryAfter(),
                        known.clientRequestId(),
                        known.requestId() == null ? range.lastId() : known.requestId(),
                        known.stopReason()),
                end.getCause());
    }
}

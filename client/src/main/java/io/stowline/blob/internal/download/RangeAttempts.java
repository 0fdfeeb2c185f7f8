package io.stowline.blob.internal.download;

import com.azure.core.http.HttpHeaderName;
import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.download.RangeReader.RangeRequest;
import io.stowline.blob.internal.download.RangeReader.RangeRequest.UnchangedException;
import io.stowline.blob.internal.download.RangeReader.RangeTarget;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.request.BlobReads.ContentRange;
import io.stowline.blob.internal.request.BlobReads.NextRange;
import io.stowline.blob.internal.request.BlobReads.RangeReceiver;
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
import io.stowline.transport.internal.error.GatewayResponses;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.HeaderValues;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/** The attempts of one range, each of which begins where the one before broke off. One at a time. */
final class RangeAttempts implements RangeReceiver {

    /** The most responses with less than the requested bytes. */
    private static final int MAX_SHORT = 100;

    /** The most bytes of a whole blob that are discarded for a range of it. */
    private static final long MAX_PASSED = 64L << 20;

    private final BlobContext context;
    private final BlobReads reads;
    private final RangeRequest requested;
    private final RetrySettings settings;
    private final @Nullable Deadline within;
    private final TransferMemory.@Nullable Share share;
    private final RangeTarget.Choice choice;

    private final @Nullable RetryListener retries;

    private final Standstill standstill;

    private volatile @Nullable Exchange<StorageResponse> running;
    private @Nullable ContentRange first;
    private @Nullable ReadOrigin found;
    private @Nullable PinnedVersion pinned;
    private @Nullable RangeTarget target;
    private int size;
    private int filled;
    /** The bytes that had come when the retries were last counted from the beginning. */
    private int counted;
    /** Bytes of a whole blob before the missing ones, and the part of them in the response. */
    private long skipped;

    private long useful;
    private long taken;
    private int max;
    private @Nullable String lastId;
    private boolean ignored;
    private int shortResponses;
    private boolean moved;

    RangeAttempts(
            BlobContext context,
            BlobReads reads,
            RangeRequest requested,
            RetrySettings settings,
            @Nullable Deadline within,
            TransferMemory.@Nullable Share share,
            RangeTarget.Choice choice,
            ContextView seen) {
        this.context = context;
        this.reads = reads;
        this.requested = requested;
        this.settings = settings;
        this.within = within;
        this.share = share;
        this.choice = choice;
        this.retries = RetryListener.in(seen);
        // The first range of a transfer of many blobs is one of its later parts.
        boolean first = requested.version() == null && ProgressMeter.in(seen) == null;
        Scheduler timer = context.service().timer();
        this.standstill = first ? new Standstill(timer, settings.deadline()) : new Standstill(timer);
        this.max = requested.count();
        this.pinned = requested.version();
        this.found = pinned == null ? null : pinned.info().origin();
    }

    /** Returns the range, whose bytes are counted if it has a share. */
    Mono<BlobPiece> whole() {
        return next().onErrorResume(
                        NoMemoryException.class,
                        e -> Objects.requireNonNull(share).yields() ? small() : wanted(e.bytes));
    }

    /** A reader at its caller's pace never waits for memory: it begins with the piece that every reader may have. */
    private Mono<BlobPiece> small() {
        max = PrefetchWindow.UNCOUNTED;
        return next();
    }

    /** Others wait for memory, so this range waits too, and is requested again then. */
    private Mono<BlobPiece> wanted(long size) {
        TransferMemory.Share counts = Objects.requireNonNull(share);
        return counts.take(size).flatMap(held -> {
            taken = size;
            return next();
        });
    }

    private Mono<BlobPiece> next() {
        return context.calls()
                .direct()
                .observed(requested.verb(), () -> context.resource(requested.name()), this::exchange, this::piece)
                .flatMap(piece -> piece.map(Mono::just).orElseGet(this::next))
                .onErrorResume(PreconditionFailedException.class, this::elsewhere)
                .onErrorMap(BadRequestException.class, this::shorter)
                .onErrorMap(UnreachableException.class, this::brokenOff);
    }

    private Exchange<StorageResponse> exchange() {
        Exchange<StorageResponse> plain = reads.get(this, requested.unless(), requested.ifTags(), settings);
        Exchange<StorageResponse> next = within == null
                ? plain.routed(context.reads().sameVersion(found)).countingStandstill(standstill)
                : plain.within(within);
        running = next;
        return next;
    }

    /** One place has sent a part of a version that the other place, which was tried next, may just not have. */
    private Mono<BlobPiece> elsewhere(PreconditionFailedException refused) {
        boolean again = requested.version() == null && found != null && found.secondary() && !moved;
        moved = true;
        return again ? next() : Mono.error(refused);
    }

    /** An append blob, whose ranges have no condition, has fewer bytes than it had: it was made again. */
    private Throwable shorter(BadRequestException refused) {
        boolean known = requested.version() != null || first != null;
        return known && ifMatch() == null && refused.failure().status() == 416
                ? new PreconditionFailedException(refused.failure(), refused)
                : refused;
    }

    @Override
    public NextRange missing() {
        return new NextRange(requested.offset() + filled, wanted() - filled, ifMatch());
    }

    /** Null for a first response and for an append blob. */
    private @Nullable String ifMatch() {
        PinnedVersion version = requested.version();
        ContentRange begun = first;
        if (version != null) {
            return version.ifMatch();
        }
        if (begun == null) {
            return requested.ifMatch();
        }
        return begun.type() == BlobType.APPEND_BLOB && begun.created() != null ? null : begun.etag();
    }

    @Override
    public void retried() {
        if (retries != null) {
            retries.retried();
        }
    }

    private int wanted() {
        return target == null ? max : size;
    }

    @Override
    public void begin(int status, StorageResponse.Headers headers, long contentLength) throws IOException {
        GatewayResponses.refuse(status, headers);
        if (headers.value(HttpHeaderName.ETAG) == null) {
            throw new ProtocolException(
                    facts(headers, status)
                            .because(
                                    "the response lacks the header ETag, which a proxy before the service may drop",
                                    "a retry cannot help; let the proxy pass the header, or use the endpoint of the"
                                            + " account"),
                    null);
        }
        ContentRange given = ContentRange.of(status, headers, contentLength);
        int missing = wanted() - filled;
        long from = requested.offset() + filled;
        ignored = false;
        skipped = 0;
        ContentRange response = given == null || headers.value(HttpHeaderName.CONTENT_RANGE) != null
                ? given
                : ofWhole(given, from, missing, headers, status);
        if (response == null
                || (response.from() != from && response.length() > 0)
                || response.length() < 0
                || response.length() > missing
                || contradicts(response)
                || (!ignored && contentLength >= 0 && contentLength != response.length())) {
            throw new ProtocolException(
                    facts(headers, status)
                            .because(
                                    "requested " + missing + " bytes from " + (requested.offset() + filled)
                                            + " on, the response has the range "
                                            + headers.value(HttpHeaderName.CONTENT_RANGE) + " and " + contentLength
                                            + " bytes of the version " + headers.value(HttpHeaderName.ETAG)
                                            + (ifMatch() == null
                                                    ? ""
                                                    : ", while the condition was the version " + ifMatch()),
                                    "a retry cannot help"),
                    null);
        }
        refuseUnnamed(response, headers, status);
        refuseOther(response, headers, status);
        useful = response.length();
        lastId = headers.value(StorageResponse.REQUEST_ID);
        if (first == null) {
            first = response;
            found = Objects.requireNonNull(running).origin();
        }
        if (pinned == null) {
            PinnedVersion seen =
                    new PinnedVersion(reads.info(headers, response, Objects.requireNonNull(found)), response.created());
            pinned = seen.readable(context, requested.verb(), status, ids(headers));
        }
        if (target == null) {
            // all requested bytes that the blob has, however few of them this response carries: the rest is requested
            // then
            int all = (int) Math.max(0, Math.min(max, response.total() - requested.offset()));
            RangeTarget chosen = choice.of(pinned, all);
            count(chosen.memory());
            size = all;
            target = chosen;
        }
    }

    /** A gateway before the service may ignore ranges, as HTTP allows, and send the whole blob. */
    private ContentRange ofWhole(
            ContentRange whole, long from, int missing, StorageResponse.Headers headers, int status) {
        ContentRange part = whole.part(from, missing);
        if (whole.length() - part.length() > MAX_PASSED) {
            throw new ProtocolException(
                    facts(headers, status)
                            .because(
                                    "requested " + missing + " bytes from " + from + " on, and got all "
                                            + whole.length()
                                            + " bytes of the blob: what stands before the service, such as a CDN,"
                                            + " ignores ranges, and"
                                            + " more"
                                            + " than"
                                            + " " + MAX_PASSED + " bytes would be thrown away",
                                    "a retry cannot help; use the endpoint of the account"),
                    null);
        }
        ignored = true;
        skipped = Math.min(from, whole.length());
        return part;
    }

    private FailureFacts.Ids ids(StorageResponse.Headers headers) {
        String client = Objects.requireNonNull(running).clientRequestId();
        return new FailureFacts.Ids(client, headers.value(StorageResponse.REQUEST_ID));
    }

    private FailureFacts facts(StorageResponse.Headers headers, int status) {
        return FailureFacts.of(requested.verb(), context.resource(requested.name()))
                .ids(ids(headers))
                .tried(1, 0, Duration.ZERO)
                .status(status, null);
    }

    /**
     * True for a response with another version or length than the one before, or a part beyond the blob's end, although
     * the request has a condition.
     */
    private boolean contradicts(ContentRange response) {
        PinnedVersion known = requested.version() == null ? pinned : requested.version();
        String etag = ifMatch();
        boolean same = etag == null
                || known == null
                || (HeaderValues.quoted(etag).equals(response.etag())
                        && response.total() == known.info().size());
        return !same || (response.length() > 0 && response.from() + response.length() > response.total());
    }

    /** A cache before the service may ignore the condition of the first range; a later one has contradicted then. */
    private void refuseUnnamed(ContentRange response, StorageResponse.Headers headers, int status) {
        String named = requested.ifMatch();
        if (named != null && first == null && !HeaderValues.sameVersion(named, response.etag())) {
            throw new PreconditionFailedException(
                    facts(headers, status)
                            .because(HeaderValues.otherVersion(named, response.etag()), "a retry cannot help"),
                    null);
        }
    }

    /** The ranges of other blobs have a condition; those of an append blob have none. */
    private void refuseOther(ContentRange response, StorageResponse.Headers headers, int status) {
        PinnedVersion version = requested.version();
        ContentRange begun = first;
        boolean same = version == null
                ? begun == null || begun.includes(response)
                : version.includes(response.total(), response.created());
        if (!same) {
            throw new PreconditionFailedException(
                    facts(headers, status)
                            .because("the append blob was made again while it was read", "a retry cannot help"),
                    null);
        }
    }

    private void count(int memory) {
        TransferMemory.Share counts = share;
        if (counts == null) {
            return;
        }
        if (taken > 0) {
            // The blob has changed since its memory was granted.
            counts.force(Math.max(0, memory - taken));
        } else if (memory <= PrefetchWindow.UNCOUNTED) {
            counts.force(counts.yields() ? 0 : memory);
        } else if (!counts.tryTake(memory)) {
            throw new NoMemoryException(memory);
        }
    }

    @Override
    public void add(BodyPart part) throws IOException {
        int before = (int) Math.min(skipped, part.length());
        skipped -= before;
        int count = (int) Math.min(useful, part.length() - before);
        if (!ignored && count < part.length()) {
            throw new IOException("the response has more bytes than its range");
        }
        if (count > 0) {
            Objects.requireNonNull(target).add(part.part(before, count));
            filled += count;
            useful -= count;
        }
    }

    @Override
    public boolean progressed() {
        boolean more = filled > counted;
        counted = filled;
        return more;
    }

    @Override
    public boolean ready(Runnable again) {
        return Objects.requireNonNull(target).ready(again);
    }

    /** Empty if the response was whole and had fewer bytes than requested. */
    private Optional<BlobPiece> piece(StorageResponse response, Exchange<StorageResponse> exchange) {
        if (response.status() == 304) {
            throw new UnchangedException();
        }
        RangeTarget whole = Objects.requireNonNull(target, "a response without its head");
        FailureFacts.Ids ids =
                new FailureFacts.Ids(exchange.clientRequestId(), response.header(StorageResponse.REQUEST_ID));
        if (filled < size) {
            if (shortResponses++ < MAX_SHORT) {
                return Optional.empty();
            }
            throw new ProtocolException(
                    facts(response.headers(), response.status())
                            .because("responses have less than was requested", MAX_SHORT + " of them in a range"),
                    null);
        }
        // The request that refers to this may live as long as the download.
        target = null;
        return Optional.of(new BlobPiece(Objects.requireNonNull(pinned), requested.offset(), whole.bytes(), ids));
    }

    private UnreachableException brokenOff(UnreachableException end) {
        if (target == null) {
            return end;
        }
        FailureDetails known = end.failure();
        return new UnreachableException(
                new FailureDetails(
                        known.operation(),
                        known.resource(),
                        known.status(),
                        known.errorCode(),
                        known.message() + "; the body broke off after " + filled + " of " + size + " bytes from "
                                + requested.offset() + " on",
                        known.attempts(),
                        known.unansweredAttempts(),
                        known.elapsed(),
                        known.retryAfter(),
                        known.clientRequestId(),
                        known.requestId() == null ? lastId : known.requestId(),
                        known.stopReason()),
                end.getCause());
    }

    /** The signal that the memory for a response's bytes is missing. No error but to the attempts of a range. */
    private static final class NoMemoryException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final long bytes;

        NoMemoryException(long bytes) {
            super("no memory", null, false, false);
            this.bytes = bytes;
        }
    }
}

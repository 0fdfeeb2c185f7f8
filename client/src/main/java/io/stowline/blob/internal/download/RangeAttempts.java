package io.stowline.blob.internal.download;

import com.azure.core.exception.HttpResponseException;
import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DownloadRetryOptions;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.SdkPipelineAdapter;
import io.stowline.blob.internal.base.SdkPipelineAdapter.TruncationTracker;
import io.stowline.blob.internal.download.RangeReader.RangeRequest;
import io.stowline.blob.internal.download.RangeReader.RangeRequest.UnchangedException;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetryResult;
import io.stowline.retry.StopReason;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.request.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The attempts of one range, each of which begins where the one before broke off. One at a time. */
final class RangeAttempts {

    private static final DownloadRetryOptions NO_RESUME = new DownloadRetryOptions().setMaxRetryRequests(0);

    private final BlobContext scope;
    private final Operation operation;
    private final RangeRequest asked;
    private final TransferMemory.@Nullable Share share;

    private @Nullable PinnedVersion version;
    private byte @Nullable [] bytes;
    private int filled;
    private FailureFacts.Ids ids = FailureFacts.Ids.NONE;
    private ReadOrigin origin = ReadOrigin.primary();

    RangeAttempts(BlobContext scope, Operation operation, RangeRequest asked, TransferMemory.@Nullable Share share) {
        this.scope = scope;
        this.operation = operation;
        this.asked = asked;
        this.version = asked.version();
        this.share = share;
    }

    Mono<BlobPiece> next() {
        return Mono.defer(() -> {
            TruncationTracker broken = new TruncationTracker();
            BlobRange range = new BlobRange(asked.offset() + filled, (long) wanted() - filled);
            @Nullable PinnedVersion known = version;
            @Nullable String etag = known == null ? null : known.ifMatch();
            @Nullable ReadOrigin found = known == null ? null : known.facts().origin();
            return scope.calls()
                    .one(
                            operation.routed(scope.reads().sameVersion(found)),
                            () -> SdkPipelineAdapter.withBreak(
                                    broken,
                                    scope.blob(asked.name())
                                            .downloadStreamWithResponse(range, NO_RESUME, conditions(etag), false)
                                            .onErrorMap(RangeAttempts::unchanged, e -> new UnchangedException())
                                            .flatMap(answer -> fill(answer, broken))),
                            from -> origin = from);
        });
    }

    private BlobRequestConditions conditions(@Nullable String etag) {
        return BlobConditions.onlyIf(etag).setIfNoneMatch(version == null ? asked.unless() : null);
    }

    static boolean unchanged(Throwable error) {
        return error instanceof HttpResponseException refused
                && refused.getResponse() != null
                && refused.getResponse().getStatusCode() == 304;
    }

    private int wanted() {
        return bytes == null ? asked.count() : bytes.length;
    }

    private Mono<BlobPiece> fill(BlobDownloadAsyncResponse answer, TruncationTracker broken) {
        BlobDownloadHeaders headers = answer.getDeserializedHeaders();
        ids = FailureFacts.Ids.of(answer);
        String nonsense = begin(headers);
        if (nonsense != null) {
            ProtocolException refused = new ProtocolException(
                    FailureFacts.of(operation.name(), operation.resource())
                            .ids(ids)
                            .tried(1, 0, Duration.ZERO)
                            .status(answer.getStatusCode(), null)
                            .because(nonsense, "a retry cannot help"),
                    null);
            return answer.getValue().take(0).then(Mono.error(refused));
        }
        byte[] content = Objects.requireNonNull(bytes);
        return answer.getValue()
                .doOnNext(part -> put(content, part))
                .then(Mono.fromCallable(() -> whole(content, broken)));
    }

    /** Makes room at the first answer; what is wrong with the answer, or {@code null}. */
    @Nullable
    private String begin(BlobDownloadHeaders headers) {
        ContentRange answer = ContentRange.of(headers);
        if (answer == null || answer.from() != asked.offset() + filled || answer.length() > wanted() - filled) {
            return "requested " + (wanted() - filled) + " bytes from " + (asked.offset() + filled)
                    + " on, the answer has the range " + headers.getContentRange() + " and "
                    + headers.getContentLength() + " bytes of the version " + headers.getETag();
        }
        PinnedVersion seen = PinnedVersion.of(
                BlobInfoMapper.of(asked.name(), answer.total(), headers).from(origin), headers.getCreationTime());
        if (version == null) {
            version = seen;
        } else if (!version.includes(seen)) {
            return "the blob was made again while it was read";
        }
        if (bytes == null) {
            // All that was requested and is there, however little of it this answer brings: the rest is requested then.
            int size = Math.toIntExact(Math.min(asked.count(), answer.total() - asked.offset()));
            if (share != null) {
                share.force(size);
            }
            bytes = new byte[size];
        }
        return null;
    }

    private void put(byte[] content, ByteBuffer part) {
        int length = part.remaining();
        part.get(content, filled, length);
        filled += length;
    }

    private BlobPiece whole(byte[] content, TruncationTracker broken) throws IOException {
        if (filled < content.length) {
            Throwable cause = broken.cause();
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new IOException(
                    "the body broke off after " + filled + " of " + content.length + " bytes from " + asked.offset()
                            + " on",
                    cause);
        }
        return new BlobPiece(Objects.requireNonNull(version), asked.offset(), content, ids);
    }

    /** The whole range has failed, with the retries that it had or for want of the time for any attempt. */
    StorageException failed(RetryResult<BlobPiece> ended, Throwable error) {
        String ending = ended.stop() == StopReason.DEADLINE
                ? "the deadline of " + operation.settings().deadline() + " leaves no time for another attempt"
                : operation.settings().retries() + " retries used up";
        FailureFacts facts = FailureFacts.of(operation.name(), operation.resource())
                .ids(ids)
                .tried(ended.log().attempts().size(), 0, ended.log().elapsed());
        FailureDetails failure = facts.because(error.toString(), ending);
        return ended.log().attempts().isEmpty() && ended.stop() == StopReason.DEADLINE
                ? new DeadlineExceededException(failure, error)
                : new UnreachableException(failure, error);
    }

    /**
     * Which bytes an answer holds.
     *
     * @param from the first of them
     * @param length how many they are
     * @param total how many the blob has
     */
    record ContentRange(long from, long length, long total) {

        private static final Pattern CONTENT_RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

        /** What the headers say, or {@code null} if they make no sense or lack something; without a range it is the whole blob. */
        @Nullable
        static ContentRange of(BlobDownloadHeaders headers) {
            if (headers.getETag() == null || headers.getLastModified() == null || headers.getBlobType() == null) {
                return null;
            }
            Long length = headers.getContentLength();
            String range = headers.getContentRange();
            if (range == null) {
                return length == null ? null : new ContentRange(0, length, length);
            }
            Matcher parts = CONTENT_RANGE.matcher(range);
            if (!parts.matches()) {
                return null;
            }
            long from = Long.parseLong(parts.group(1));
            return new ContentRange(from, Long.parseLong(parts.group(2)) - from + 1, Long.parseLong(parts.group(3)));
        }
    }
}

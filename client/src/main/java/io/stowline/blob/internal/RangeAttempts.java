package io.stowline.blob.internal;

import com.azure.core.exception.HttpResponseException;
import com.azure.storage.blob.models.BlobDownloadAsyncResponse;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DownloadRetryOptions;
import io.stowline.blob.BlobFacts;
import io.stowline.error.ProtocolException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.Ended;
import io.stowline.retry.Stop;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The attempts of one range, each of which begins where the one before broke off. One at a time. */
final class RangeAttempts {

    private static final DownloadRetryOptions NO_RESUME = new DownloadRetryOptions().setMaxRetryRequests(0);

    private final BlobScope scope;
    private final Operation operation;
    private final RangeAsked asked;
    private final Ledger ledger;

    private @Nullable BlobFacts facts;
    private byte @Nullable [] bytes;
    private int filled;
    private LocalFailure.Ids ids = LocalFailure.Ids.NONE;
    private ReadOrigin origin = ReadOrigin.primary();

    RangeAttempts(BlobScope scope, Operation operation, RangeAsked asked, Ledger ledger) {
        this.scope = scope;
        this.operation = operation;
        this.asked = asked;
        this.ledger = ledger;
    }

    Mono<Piece> next() {
        return Mono.defer(() -> {
            BodyBreak broken = new BodyBreak();
            BlobRange range = new BlobRange(asked.offset() + filled, (long) wanted() - filled);
            String etag = facts == null ? asked.etag() : facts.etag();
            @Nullable ReadOrigin found = facts == null ? asked.found() : facts.origin();
            return scope.calls()
                    .one(
                            operation.routed(scope.reads().sameVersion(found)),
                            () -> ContextualPipeline.withBreak(
                                    broken,
                                    scope.blob(asked.name())
                                            .downloadStreamWithResponse(range, NO_RESUME, conditions(etag), false)
                                            .onErrorMap(RangeAttempts::unchanged, e -> new UnchangedException())
                                            .flatMap(answer -> fill(answer, broken))),
                            from -> origin = from);
        });
    }

    private BlobRequestConditions conditions(@Nullable String etag) {
        return BlobVerbs.onlyIf(etag).setIfNoneMatch(facts == null ? asked.unless() : null);
    }

    static boolean unchanged(Throwable error) {
        return error instanceof HttpResponseException refused
                && refused.getResponse() != null
                && refused.getResponse().getStatusCode() == 304;
    }

    private int wanted() {
        return bytes == null ? asked.count() : bytes.length;
    }

    private Mono<Piece> fill(BlobDownloadAsyncResponse answer, BodyBreak broken) {
        BlobDownloadHeaders headers = answer.getDeserializedHeaders();
        ids = LocalFailure.Ids.of(answer);
        String nonsense = begin(headers);
        if (nonsense != null) {
            ProtocolException refused = new ProtocolException(
                    LocalFailure.of(operation, ids)
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
        RangeAnswer answer = RangeAnswer.of(headers);
        if (answer == null || answer.from() != asked.offset() + filled || answer.length() > wanted() - filled) {
            return "asked for " + (wanted() - filled) + " bytes from " + (asked.offset() + filled)
                    + " on, the answer has the range " + headers.getContentRange() + " and "
                    + headers.getContentLength() + " bytes of the version " + headers.getETag();
        }
        if (bytes == null) {
            // All that was asked for and is there, however little of it this answer brings: the rest is asked for then.
            int size = Math.toIntExact(Math.min(asked.count(), answer.total() - asked.offset()));
            facts = Facts.of(asked.name(), answer.total(), headers).from(origin);
            ledger.take(size);
            bytes = new byte[size];
        }
        return null;
    }

    private void put(byte[] content, ByteBuffer part) {
        int length = part.remaining();
        part.get(content, filled, length);
        filled += length;
    }

    private Piece whole(byte[] content, BodyBreak broken) throws IOException {
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
        return new Piece(Objects.requireNonNull(facts), asked.offset(), content, ids);
    }

    UnreachableException unreachable(Ended<Piece> ended, Throwable error) {
        String ending = ended.stop() == Stop.DEADLINE
                ? "the deadline of " + operation.settings().deadline() + " leaves no time for another attempt"
                : operation.settings().retries() + " retries used up";
        LocalFailure facts = LocalFailure.of(operation, ids)
                .tried(ended.log().attempts().size(), 0, ended.log().elapsed());
        return new UnreachableException(facts.because(error.toString(), ending), error);
    }
}

package io.stowline.blob.internal.append;

import com.azure.core.http.rest.Response;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.options.AppendBlobCreateOptions;
import com.azure.storage.blob.specialized.AppendBlobAsyncClient;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.base.SdkPipelineAdapter;
import io.stowline.blob.internal.base.SerialQueue;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.operations.BlobTypeCheck;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.ExclusiveCreate;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.HeaderValues;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One append blob with the position behind its last byte, as far as it is known. Every append names the position that it is for, so that
 * sending it again after a lost response cannot append twice. One append at a time. Thread-safe.
 */
public final class AppendOperations {

    private static final int MAX_BYTES = StorageLimits.APPEND_BLOCK_MAX_BYTES;

    private static final long UNKNOWN = -1;

    private static final String VERB = "append";

    /** The code of an append whose position is not the blob's end. */
    static final String MOVED = "AppendPositionConditionNotMet";

    private final BlobContext context;
    private final String name;
    private final SerialQueue turns = new SerialQueue();
    private volatile long position = UNKNOWN;

    /**
     * The operations on one append blob.
     *
     * @param context the container
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public AppendOperations(BlobContext context, String name) {
        this.context = context;
        this.name = BlobNameRules.check(name);
    }

    private AppendBlobAsyncClient sdk() {
        return context.blob(name).getAppendBlobAsyncClient();
    }

    /** Returns the blob's name. */
    public String name() {
        return name;
    }

    /**
     * Makes the empty blob. Without its condition the service would empty one that is there.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return creation().make().doOnNext(made -> position = 0).then();
    }

    /**
     * Makes the empty blob unless there is one of this name.
     *
     * @return whether it was made, as far as is known
     */
    public Mono<Boolean> createIfMissing() {
        return creation()
                .makeUnlessThere("BlobAlreadyExists", true)
                .doOnNext(made -> position = made ? 0 : position)
                .flatMap(made -> made
                        ? Mono.just(true)
                        : new BlobTypeCheck(context, "create", name, BlobType.APPEND_BLOB, "nothing can be appended")
                                .passed()
                                .thenReturn(false));
    }

    private ExclusiveCreate creation() {
        return new ExclusiveCreate(
                context,
                context.write("create", context.resource(name), BlobContext.MADE),
                id -> sdk().createWithResponse(new AppendBlobCreateOptions()
                        .setMetadata(WriteIdMetadata.in(Map.of(), Objects.requireNonNull(id)))
                        .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"))),
                unresolved -> BlobReadBack.atBlob(context, "create", name, unresolved));
    }

    /**
     * Appends bytes at the end that is known, or else at the one that the service names.
     *
     * @param bytes the bytes, which must not change until the end
     * @return where they are
     */
    public Mono<BlobWriteResult> append(byte[] bytes) {
        return inTurn(bytes, deadline -> end(deadline).flatMap(end -> append(bytes, end, deadline)));
    }

    /**
     * Appends bytes at a position that the caller knows.
     *
     * @param bytes the bytes, which must not change until the end
     * @param at the blob's end
     * @return where they are
     */
    public Mono<BlobWriteResult> append(byte[] bytes, long at) {
        if (at < 0) {
            return Mono.error(new IllegalArgumentException("position is 0 or more, not " + at));
        }
        return inTurn(bytes, deadline -> append(bytes, at, deadline));
    }

    private Mono<BlobWriteResult> inTurn(byte[] bytes, Function<Deadline, Mono<BlobWriteResult>> append) {
        return Mono.defer(() -> {
            if (Objects.requireNonNull(bytes, "bytes").length < 1 || bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException("an append has 1 to " + MAX_BYTES + " bytes, not " + bytes.length);
            }
            context.service().version().checkAppend(bytes.length);
            return turns.take(Mono.defer(() -> append.apply(context.deadline())));
        });
    }

    /** Returns the largest append of the service's version. */
    public int maxBytes() {
        return context.service().version().maxAppend();
    }

    private Mono<Long> end(Deadline deadline) {
        long known = position;
        return known != UNKNOWN ? Mono.just(known) : length(deadline);
    }

    private Mono<Long> length(Deadline deadline) {
        return new BlobOperations(context)
                .head(VERB, name, null, deadline, BlobInfoMapper::size)
                .flatMap(size -> size >= 0
                        ? Mono.just(size)
                        : new RangeSource(context.atPrimary(), name, VERB)
                                .within(deadline)
                                .length());
    }

    private Mono<BlobWriteResult> append(byte[] bytes, long at, Deadline deadline) {
        position = UNKNOWN;
        return context.settled(
                        context.write(VERB, context.resource(name), bytes.length)
                                .until(deadline),
                        () -> append(bytes, at, Md5.of(ByteBuffer.wrap(bytes)))
                                .onErrorResume(PreconditionFailedException.class, e -> moved(e, at, deadline)),
                        (response, unresolved) -> appended(response, at, bytes.length),
                        new AppendOutcome(context, name, bytes, at)::settle)
                .doOnNext(
                        appended -> position = appended.outcome() == WriteOutcome.CONFIRMED ? appended.end() : UNKNOWN);
    }

    private Mono<Response<AppendBlobItem>> append(byte[] bytes, long at, byte[] md5) {
        AppendBlobRequestConditions condition = new AppendBlobRequestConditions().setAppendPosition(at);
        return SdkPipelineAdapter.withBody(
                BinaryData.fromBytes(bytes),
                sdk().appendBlockWithResponse(Flux.just(ByteBuffer.wrap(bytes)), bytes.length, md5, condition));
    }

    private static BlobWriteResult appended(Response<AppendBlobItem> response, long at, int length) {
        AppendBlobItem item = response.getValue();
        return BlobWriteResult.appended(
                HeaderValues.quoted(item.getETag()), BlobInfoMapper.instant(item.getLastModified()), at, at + length);
    }

    private <A> Mono<A> moved(PreconditionFailedException e, long at, Deadline deadline) {
        if (!MOVED.equals(e.failure().errorCode())) {
            return Mono.error(e);
        }
        return length(deadline)
                .onErrorResume(unknown -> Mono.error(e))
                .flatMap(length -> Mono.error(new PreconditionFailedException(
                        e.failure()
                                .saying("; this append was for position " + at + ", the blob has " + length + " bytes"),
                        e)));
    }
}

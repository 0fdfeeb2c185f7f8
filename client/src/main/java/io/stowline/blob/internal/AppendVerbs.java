package io.stowline.blob.internal;

import com.azure.core.http.rest.Response;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.options.AppendBlobCreateOptions;
import com.azure.storage.blob.specialized.AppendBlobAsyncClient;
import io.stowline.blob.Appended;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.Outcome;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.MetadataMark;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One append blob, and the position behind its last byte as far as it is known. Every append names the position that it is for, so that
 * sending it again after a lost answer cannot append twice. One append at a time. Thread-safe.
 */
public final class AppendVerbs {

    /** Since version 2022-11-02 of the service. */
    private static final int MAX_BYTES = StorageLimits.APPEND_BLOCK_MAX_BYTES;

    private static final long UNKNOWN = -1;

    private static final String VERB = "append";

    /** The code of an append whose position is not the blob's end. */
    static final String MOVED = "AppendPositionConditionNotMet";

    private final BlobScope scope;
    private final String name;
    private final Turns turns = new Turns();
    private volatile long position = UNKNOWN;

    /**
     * The operations on one append blob.
     *
     * @param scope the container
     * @param name the blob
     * @throws IllegalArgumentException if the service does not allow the name
     */
    public AppendVerbs(BlobScope scope, String name) {
        this.scope = scope;
        this.name = BlobNames.check(name);
    }

    private AppendBlobAsyncClient sdk() {
        return scope.blob(name).getAppendBlobAsyncClient();
    }

    /**
     * The blob's name.
     *
     * @return the name
     */
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
     * @return whether it was made, as far as can be told
     */
    public Mono<Boolean> createIfMissing() {
        return creation().makeUnlessThere("BlobAlreadyExists", true).doOnNext(made -> position = made ? 0 : position);
    }

    private Creation creation() {
        return new Creation(
                scope,
                scope.write("create", scope.resource(name), BlobScope.MADE),
                id -> sdk().createWithResponse(new AppendBlobCreateOptions()
                        .setMetadata(MetadataMark.in(Map.of(), Objects.requireNonNull(id)))
                        .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"))),
                doubt -> Looks.atBlob(scope, "create", name, doubt));
    }

    /**
     * Appends bytes at the end that is known, or else at the one that the service names.
     *
     * @param bytes the bytes, which must not change meanwhile
     * @return where they are
     */
    public Mono<Appended> append(byte[] bytes) {
        return Mono.defer(() -> {
            if (Objects.requireNonNull(bytes, "bytes").length < 1 || bytes.length > MAX_BYTES) {
                throw new IllegalArgumentException("an append has 1 to " + MAX_BYTES + " bytes, not " + bytes.length);
            }
            return turns.take(Mono.defer(this::end).flatMap(end -> append(bytes, end)));
        });
    }

    private Mono<Long> end() {
        long known = position;
        return known != UNKNOWN ? Mono.just(known) : length();
    }

    private Mono<Long> length() {
        return new BlobVerbs(scope)
                .head(VERB, name, null, answer -> answer.getValue().getBlobSize());
    }

    private Mono<Appended> append(byte[] bytes, long at) {
        position = UNKNOWN;
        return scope.settled(
                        scope.write(VERB, scope.resource(name), bytes.length),
                        () -> append(bytes, at, Md5.of(ByteBuffer.wrap(bytes)))
                                .onErrorResume(PreconditionFailedException.class, e -> moved(e, at)),
                        (answer, doubt) -> appended(answer, at, bytes.length),
                        new AppendOutcome(scope, name, bytes, at)::settle)
                .doOnNext(appended -> position = appended.outcome() == Outcome.CONFIRMED ? appended.end() : UNKNOWN);
    }

    private Mono<Response<AppendBlobItem>> append(byte[] bytes, long at, byte[] md5) {
        AppendBlobRequestConditions condition = new AppendBlobRequestConditions().setAppendPosition(at);
        return ContextualPipeline.withBody(
                BinaryData.fromBytes(bytes),
                sdk().appendBlockWithResponse(Flux.just(ByteBuffer.wrap(bytes)), bytes.length, md5, condition));
    }

    private static Appended appended(Response<AppendBlobItem> answer, long at, int length) {
        AppendBlobItem item = answer.getValue();
        return Appended.confirmed(
                HeaderValues.quoted(item.getETag()), Facts.instant(item.getLastModified()), at, at + length);
    }

    private <A> Mono<A> moved(PreconditionFailedException e, long at) {
        if (!MOVED.equals(e.failure().errorCode())) {
            return Mono.error(e);
        }
        return length().onErrorResume(unknown -> Mono.error(e))
                .flatMap(length -> Mono.error(new PreconditionFailedException(
                        e.failure()
                                .saying("; this append was for position " + at + ", the blob has " + length + " bytes"),
                        e)));
    }
}

package io.stowline.blob.internal;

import com.azure.core.http.rest.Response;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.models.AppendBlobItem;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.options.AppendBlobCreateOptions;
import com.azure.storage.blob.specialized.AppendBlobAsyncClient;
import io.stowline.blob.Appended;
import io.stowline.error.ConflictException;
import io.stowline.error.Failure;
import io.stowline.error.PreconditionFailedException;
import io.stowline.transport.internal.Operation;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One append blob, and the position behind its last byte as far as it is known. Every append names the position that it is for, so that
 * sending it again after a lost answer cannot append twice. One append at a time. Thread-safe.
 */
public final class AppendVerbs {

    /** Since version 2022-11-02 of the service. */
    private static final int MAX_BYTES = 100 * 1024 * 1024;

    private static final long UNKNOWN = -1;

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
        AppendBlobCreateOptions onlyNew =
                new AppendBlobCreateOptions().setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*"));
        return scope.call(scope.write("create", scope.resource(name)), () -> sdk().createWithResponse(onlyNew))
                .doOnSuccess(created -> position = 0)
                .then();
    }

    /**
     * Makes the empty blob unless there is one of this name.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return create().thenReturn(true)
                .onErrorResume(
                        ConflictException.class,
                        e -> "BlobAlreadyExists".equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
    }

    /**
     * Appends bytes at the end that is known, or else at the one that the service names.
     *
     * @param bytes the bytes, which must not change meanwhile
     * @return where they are
     */
    public Mono<Appended> append(byte[] bytes) {
        return Mono.defer(() -> {
            if (bytes.length < 1 || bytes.length > MAX_BYTES) {
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
                .head("append", name, null, answer -> answer.getValue().getBlobSize());
    }

    private Mono<Appended> append(byte[] bytes, long at) {
        position = UNKNOWN;
        Operation operation = scope.write("append", scope.resource(name), bytes.length);
        byte[] md5 = Md5.of(ByteBuffer.wrap(bytes));
        AppendBlobRequestConditions condition = new AppendBlobRequestConditions().setAppendPosition(at);
        return scope.call(
                        operation,
                        () -> ContextualPipeline.withBody(
                                BinaryData.fromBytes(bytes),
                                sdk().appendBlockWithResponse(
                                                Flux.just(ByteBuffer.wrap(bytes)), bytes.length, md5, condition)),
                        response -> appended(response, at, bytes.length))
                .doOnNext(appended -> position = appended.end())
                .onErrorResume(PreconditionFailedException.class, e -> moved(e, at));
    }

    private static Appended appended(Response<AppendBlobItem> response, long at, int length) {
        AppendBlobItem item = response.getValue();
        return new Appended(
                HeaderValues.quoted(item.getETag()), Facts.instant(item.getLastModified()), at, at + length);
    }

    private Mono<Appended> moved(PreconditionFailedException e, long at) {
        if (!"AppendPositionConditionNotMet".equals(e.failure().errorCode())) {
            return Mono.error(e);
        }
        return length().onErrorResume(unknown -> Mono.error(e))
                .flatMap(length -> Mono.error(new PreconditionFailedException(
                        saying(
                                e.failure(),
                                "; this append was for position " + at + ", the blob has " + length + " bytes"),
                        e)));
    }

    private static Failure saying(Failure facts, String more) {
        return new Failure(
                facts.operation(),
                facts.resource(),
                facts.status(),
                facts.errorCode(),
                facts.message() + more,
                facts.attempts(),
                facts.unanswered(),
                facts.elapsed(),
                facts.retryAfter(),
                facts.clientRequestId(),
                facts.requestId(),
                facts.ending());
    }
}

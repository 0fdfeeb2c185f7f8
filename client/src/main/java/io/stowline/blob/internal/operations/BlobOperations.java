package io.stowline.blob.internal.operations;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTagFilter;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.recovery.BlobDeletion;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobSnapshot;
import io.stowline.blob.internal.recovery.BlobWriteVerifier;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.timeout.Deadline;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.request.HeaderValues;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.sdk.MissingFactException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The operations on blobs that carry no content. What they give arrives on an I/O thread. Thread-safe. */
public record BlobOperations(BlobContext context) {

    /**
     * Requests a blob.
     *
     * @return whether it is there
     */
    public Mono<Boolean> exists(String name) {
        return context.asOperation(
                context.read("exists", context.resource(name)),
                BlobConditions.unlessMissing(new PropertyReads(context).existence("exists", name))
                        .hasElement()
                        .onErrorResume(
                                ConflictException.class,
                                e -> BlobConditions.hasOtherKey(e) ? Mono.just(true) : Mono.error(e)));
    }

    /**
     * Reads a blob's facts.
     *
     * @return its facts; empty if there is none
     */
    public Mono<BlobInfo> find(String name) {
        return context.asOperation(
                context.read("find", context.resource(name)), BlobConditions.unlessMissing(located("find", name)));
    }

    /** Reads a blob's facts. */
    public Mono<BlobInfo> info(String name) {
        return located("info", name);
    }

    private Mono<BlobInfo> located(String verb, String name) {
        return new PropertyReads(context).routed(verb, name).map(StoredProperties::info);
    }

    public <A> Mono<A> head(
            String verb, String name, @Nullable String etag, Function<Response<BlobProperties>, A> meaning) {
        return Mono.defer(() -> head(verb, name, etag, context.deadline(), meaning));
    }

    /** Reads the facts of a blob in one version, or with such tags. */
    public <A> Mono<A> headIf(
            String verb,
            String name,
            @Nullable String etag,
            @Nullable String ifTags,
            Function<Response<BlobProperties>, A> meaning) {
        return Mono.defer(() -> conditional(
                context.read(verb, context.resource(name)),
                name,
                BlobConditions.onlyIf(etag).setTagsConditions(ifTags),
                context.deadline(),
                meaning));
    }

    /** Reads the facts as the first request of several, which have one deadline. */
    public <A> Mono<A> head(
            String verb,
            String name,
            @Nullable String etag,
            Deadline deadline,
            Function<Response<BlobProperties>, A> meaning) {
        return conditional(
                context.read(verb, context.resource(name)), name, BlobConditions.onlyIf(etag), deadline, meaning);
    }

    private <A> Mono<A> conditional(
            Operation read,
            String name,
            BlobRequestConditions conditions,
            Deadline deadline,
            Function<Response<BlobProperties>, A> meaning) {
        return context.named(name, () -> {
            return context.call(
                    read.until(deadline), () -> context.blob(name).getPropertiesWithResponse(conditions), response -> {
                        refuseOther(
                                FailureFacts.of(read.name(), context.resource(name))
                                        .ids(FailureFacts.Ids.of(response))
                                        .status(response.getStatusCode(), null),
                                conditions.getIfMatch(),
                                response.getValue().getETag());
                        return meaning.apply(response);
                    });
        });
    }

    /**
     * Refuses another version: a cache before the service may ignore the condition of a request.
     *
     * @param facts the facts of the response
     */
    static void refuseOther(FailureFacts facts, @Nullable String etag, @Nullable String found) {
        if (etag != null && found != null && !found.isEmpty() && !HeaderValues.sameVersion(etag, found)) {
            throw new PreconditionFailedException(
                    facts.tried(1, 0, Duration.ZERO)
                            .because(
                                    HeaderValues.otherVersion(etag, found),
                                    "the response ignores the condition If-Match"),
                    null);
        }
    }

    /**
     * Replaces a blob's metadata.
     *
     * @param metadata all names and values
     * @param etag the only version to change, or {@code null} for any
     * @return its result, whose ETag is empty where the response was lost, for the blob may have been changed since
     */
    public Mono<WriteResult> setMetadata(String name, Map<String, String> metadata, @Nullable String etag) {
        return new MetadataWrites(this, context).set(name, metadata, etag);
    }

    /**
     * Changes the served headers of a blob. The service drops those that are not sent, and the stored MD5 with them: they are
     * read first, and set on the version that was read only.
     *
     * @param change changes the present headers
     * @return its result, whose ETag is empty where the response was lost, for the blob may have been changed since
     */
    public Mono<WriteResult> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        Objects.requireNonNull(change, "change");
        return Mono.defer(() -> setHeaders(name, change, context.deadline()));
    }

    private Mono<WriteResult> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change, Deadline deadline) {
        Mono<BlobInfo> present = head("setHeaders", name, null, deadline, response -> versioned(name, response));
        return present.flatMap(info -> {
            BlobHeaders changed = change.apply(info.headers().toBuilder()).build();
            BlobHttpHeaders all = BlobInfoMapper.sdk(changed, info.contentMd5());
            return context.settled(
                    context.write("setHeaders", context.resource(name), BlobContext.CHANGED)
                            .until(deadline),
                    () -> context.blob(name).setHttpHeadersWithResponse(all, BlobConditions.onlyIf(info.etag())),
                    (response, unresolved) -> WriteResult.confirmed(etag(response), false),
                    (end, unresolved) -> settle(
                            "setHeaders",
                            name,
                            end,
                            unresolved,
                            BlobWriteVerifier.ofContent(
                                    seen -> served(seen, changed),
                                    info.etag(),
                                    unresolved,
                                    seen -> WriteResult.recovered("", Evidence.CONTENT, false))));
        });
    }

    /** The facts of a blob whose version a condition will name. */
    private static BlobInfo versioned(String name, Response<BlobProperties> response) {
        MissingFactException.needed(response.getValue().getETag(), "ETag");
        return BlobInfoMapper.of(name, response);
    }

    private static boolean served(BlobSnapshot seen, BlobHeaders headers) {
        return BlobInfoMapper.served(seen.info().headers()).equals(BlobInfoMapper.served(headers));
    }

    Mono<WriteResult> settle(
            String verb,
            String name,
            OutcomeUnknownException end,
            UnresolvedAttempts unresolved,
            BlobWriteVerifier<WriteResult> verifier) {
        return BlobReadBack.settle(
                context,
                end,
                unresolved,
                BlobReadBack.atBlob(context, verb, name, unresolved).map(verifier::of));
    }

    static String etag(Response<Void> response) {
        return Objects.requireNonNull(response.getHeaders().getValue(HttpHeaderName.ETAG), "no ETag");
    }

    /**
     * Removes a blob.
     *
     * @param etag the only version to remove, or {@code null} for any
     * @return its result; also where the response was lost and the blob is gone, unless one version was named
     */
    public Mono<WriteResult> delete(String name, @Nullable String etag) {
        return Mono.defer(() -> {
            String only = etag == null ? null : HeaderValues.etag(etag);
            return delete(name, only, BlobConditions.onlyIf(only), false);
        });
    }

    /** Removes a blob if its tags match the condition. */
    public Mono<WriteResult> deleteIf(String name, BlobTagFilter condition) {
        String expression = Objects.requireNonNull(condition, "condition").expression();
        return Mono.defer(() -> delete(name, null, new BlobRequestConditions().setTagsConditions(expression), false));
    }

    private Mono<WriteResult> delete(
            String name, @Nullable String etag, BlobRequestConditions conditions, boolean snapshots) {
        BlobNameRules.check(name);
        DeleteSnapshotsOptionType with = snapshots ? DeleteSnapshotsOptionType.INCLUDE : null;
        BlobDeletion deletion = new BlobDeletion(context, name, etag);
        return context.settled(
                context.write("delete", context.resource(name), BlobContext.DELETED),
                () -> context.blob(name).deleteWithResponse(with, conditions),
                deletion::confirmed,
                deletion::settle);
    }

    /**
     * Removes a blob if it exists.
     *
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    public Mono<Boolean> deleteIfExists(String name) {
        return deleteIfExists(name, null, false);
    }

    /** Removes one version of a blob; another one is an error. */
    Mono<Boolean> deleteIfExists(String name, @Nullable String etag, boolean snapshots) {
        Mono<WriteResult> deletion = Mono.defer(() -> delete(name, etag, BlobConditions.onlyIf(etag), snapshots));
        return context.asOperation(
                context.write("delete", context.resource(name), BlobContext.DELETED),
                BlobConditions.unlessMissing(deletion.thenReturn(true)).defaultIfEmpty(false));
    }
}

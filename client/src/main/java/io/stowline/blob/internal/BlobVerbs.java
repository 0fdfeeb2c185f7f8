package io.stowline.blob.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import io.stowline.blob.BlobFacts;
import io.stowline.blob.BlobHeaders;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.MetadataMark;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The operations on blobs that carry no content. What they give arrives on an I/O thread. Thread-safe. */
public final class BlobVerbs {

    private final BlobScope scope;

    /**
     * The operations on the blobs of one container.
     *
     * @param scope the container
     */
    public BlobVerbs(BlobScope scope) {
        this.scope = scope;
    }

    /**
     * Asks for a blob.
     *
     * @param name its name
     * @return whether it is there
     */
    public Mono<Boolean> exists(String name) {
        return scope.told(
                scope.read("exists", scope.resource(name)),
                unlessMissing(facts("exists", name)).hasElement());
    }

    /**
     * Reads a blob's facts.
     *
     * @param name its name
     * @return its facts; empty if there is none
     */
    public Mono<BlobFacts> find(String name) {
        return scope.told(scope.read("find", scope.resource(name)), unlessMissing(located("find", name)));
    }

    /**
     * Reads a blob's facts.
     *
     * @param name its name
     * @return its facts
     */
    public Mono<BlobFacts> properties(String name) {
        return located("properties", name);
    }

    private Mono<BlobFacts> located(String verb, String name) {
        return Mono.defer(() -> {
            BlobNames.check(name);
            return scope.located(
                    scope.read(verb, scope.resource(name)).routed(scope.reads().any()),
                    () -> scope.blob(name).getPropertiesWithResponse(null),
                    (response, origin) -> Facts.of(name, response.getValue()).from(origin));
        });
    }

    private Mono<BlobFacts> facts(String verb, String name) {
        return head(verb, name, null, response -> Facts.of(name, response.getValue()));
    }

    <A> Mono<A> head(String verb, String name, @Nullable String etag, Function<Response<BlobProperties>, A> meaning) {
        return Mono.defer(() -> {
            BlobNames.check(name);
            return scope.call(
                    scope.read(verb, scope.resource(name)),
                    () -> scope.blob(name).getPropertiesWithResponse(onlyIf(etag)),
                    meaning);
        });
    }

    /** The value, or nothing if the blob, but not its container, is missing. */
    static <A> Mono<A> unlessMissing(Mono<A> value) {
        return value.onErrorResume(NotFoundException.class, e -> blobMissing(e) ? Mono.empty() : Mono.error(e));
    }

    static boolean blobMissing(NotFoundException e) {
        return !"ContainerNotFound".equals(e.failure().errorCode());
    }

    static BlobRequestConditions onlyIf(@Nullable String etag) {
        return new BlobRequestConditions().setIfMatch(etag);
    }

    /**
     * Replaces a blob's metadata.
     *
     * @param name its name
     * @param metadata all names and values
     * @param etag the only version to change, or {@code null} for any
     * @return the blob's new ETag; empty where the answer was lost, for the blob may have been changed since
     */
    public Mono<String> setMetadata(String name, Map<String, String> metadata, @Nullable String etag) {
        return Mono.defer(() -> {
            BlobNames.check(name);
            if (etag != null) {
                return setMetadataOf(name, MetadataRules.checkMarked(metadata), HeaderValues.etag(etag));
            }
            Map<String, String> checked = MetadataRules.check(metadata);
            return scope.call(
                    scope.write("setMetadata", scope.resource(name), BlobScope.CHANGED),
                    () -> scope.blob(name).setMetadataWithResponse(checked, null),
                    BlobVerbs::etag);
        });
    }

    private Mono<String> setMetadataOf(String name, Map<String, String> metadata, String etag) {
        String id = MetadataMark.newId();
        return scope.settled(
                scope.write("setMetadata", scope.resource(name), BlobScope.CHANGED),
                () -> scope.blob(name).setMetadataWithResponse(MetadataMark.in(metadata, id), onlyIf(etag)),
                (answer, doubt) -> etag(answer),
                (end, doubt) -> settle("setMetadata", name, end, doubt, Judge.ofMark(id, etag, doubt, seen -> "")));
    }

    /**
     * Changes the headers that a blob is served with. The service drops those that are not sent, and the stored MD5 with them: they are
     * read first, and set on the version that was read only.
     *
     * @param name its name
     * @param change changes the present headers
     * @return the blob's new ETag; empty where the answer was lost, for the blob may have been changed since
     */
    public Mono<String> setHeaders(String name, UnaryOperator<BlobHeaders.Builder> change) {
        Objects.requireNonNull(change, "change");
        return facts("setHeaders", name).flatMap(facts -> {
            BlobHeaders changed = change.apply(facts.headers().toBuilder()).build();
            BlobHttpHeaders all = Facts.sdk(changed, facts.contentMd5());
            return scope.settled(
                    scope.write("setHeaders", scope.resource(name), BlobScope.CHANGED),
                    () -> scope.blob(name).setHttpHeadersWithResponse(all, onlyIf(facts.etag())),
                    (answer, doubt) -> etag(answer),
                    (end, doubt) -> settle(
                            "setHeaders",
                            name,
                            end,
                            doubt,
                            Judge.ofContent(seen -> served(seen, changed), facts.etag(), doubt, seen -> "")));
        });
    }

    private static boolean served(Seen seen, BlobHeaders headers) {
        return UploadOutcome.served(seen.facts().headers()).equals(UploadOutcome.served(headers));
    }

    private Mono<String> settle(
            String verb, String name, OutcomeUnknownException end, Doubt doubt, Judge<String> judge) {
        return Settled.of(
                scope, end, doubt, Looks.atBlob(scope, verb, name, doubt).map(judge::of));
    }

    private static String etag(Response<Void> response) {
        return Objects.requireNonNull(response.getHeaders().getValue(HttpHeaderName.ETAG), "no ETag");
    }

    /**
     * Removes a blob.
     *
     * @param name its name
     * @param etag the only version to remove, or {@code null} for any
     * @return the end of it; also where the answer was lost and there is no such blob any more, unless one version was named
     */
    public Mono<Void> delete(String name, @Nullable String etag) {
        return Mono.defer(() -> {
            BlobNames.check(name);
            String only = etag == null ? null : HeaderValues.etag(etag);
            return scope.settled(
                            scope.write("delete", scope.resource(name), BlobScope.DELETED),
                            () -> scope.blob(name).deleteWithResponse(null, onlyIf(only)),
                            (answer, doubt) -> true,
                            new Deletion(scope, name, only)::settle)
                    .then();
        });
    }

    /**
     * Removes a blob if it is there.
     *
     * @param name its name
     * @return false if there was none for certain; true if it was removed, or if after a lost answer it is gone
     */
    public Mono<Boolean> deleteIfExists(String name) {
        return scope.told(
                scope.write("delete", scope.resource(name), BlobScope.DELETED),
                unlessMissing(delete(name, null).thenReturn(true)).defaultIfEmpty(false));
    }
}

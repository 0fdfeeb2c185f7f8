package io.stowline.blob.internal.page;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobType;
import com.azure.storage.blob.models.PageBlobItem;
import com.azure.storage.blob.options.PageBlobCreateOptions;
import io.stowline.blob.PageBlobSettings;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.BlobConditions;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.operations.BlobTypeCheck;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.BlobWriteVerifier;
import io.stowline.blob.internal.recovery.ExclusiveCreate;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** The creation of one page blob, all zeros, which leaves a marker of this write in its metadata. Immutable. */
public final class PageCreation {

    private static final String VERB = "create";
    private static final String EXISTS = "BlobAlreadyExists";

    private final BlobContext context;
    private final String verb;
    private final String name;
    private final long size;
    private final PageBlobSettings settings;
    private final Map<String, String> metadata;

    /**
     * A creation for a caller's verb.
     *
     * @param size its bytes
     */
    public PageCreation(BlobContext context, String name, long size, PageBlobSettings settings) {
        this(context, VERB, name, size, settings, settings.metadata());
    }

    PageCreation(
            BlobContext context,
            String verb,
            String name,
            long size,
            PageBlobSettings settings,
            Map<String, String> metadata) {
        this.context = context;
        this.verb = verb;
        this.name = name;
        this.size = PageRules.size("the size", size);
        this.settings = settings;
        this.metadata = metadata;
        int bytes = metadata.entrySet().stream()
                        .mapToInt(entry ->
                                entry.getKey().length() + entry.getValue().length())
                        .sum()
                + WriteIdMetadata.SIZE;
        if (bytes > StorageLimits.METADATA_MAX_BYTES) {
            throw new IllegalArgumentException("the metadata of a page blob has " + bytes
                    + " bytes with the markers of its creation, more than the limit of "
                    + StorageLimits.METADATA_MAX_BYTES);
        }
    }

    /** Makes the blob, in the place of one that is there only if the settings allow it. */
    public Mono<Void> make() {
        return settings.overwrite()
                ? BlobConditions.unlessMissing(new PropertyReads(context).version(verb, name, null))
                        .map(found -> found.info().etag())
                        .flatMap(this::replacing)
                        .switchIfEmpty(Mono.defer(this::absent))
                        .then()
                : absent().then();
    }

    Mono<Boolean> absent() {
        return exclusive().make();
    }

    /** Makes the blob unless there is one of this name; one of another type is an error. */
    public Mono<Boolean> makeIfMissing() {
        if (settings.overwrite()) {
            throw new IllegalArgumentException("createIfMissing replaces nothing: it takes no overwrite");
        }
        return exclusive()
                .makeUnlessThere(EXISTS, true)
                .flatMap(made -> made
                        ? Mono.just(true)
                        : new BlobTypeCheck(context, verb, name, BlobType.PAGE_BLOB, "no pages can be written")
                                .passed()
                                .thenReturn(false));
    }

    private ExclusiveCreate exclusive() {
        return new ExclusiveCreate(
                context,
                context.write(verb, context.resource(name), BlobContext.MADE),
                id -> call(Objects.requireNonNull(id), new BlobRequestConditions().setIfNoneMatch("*")),
                unresolved -> BlobReadBack.atBlob(context, verb, name, unresolved));
    }

    private Mono<Response<PageBlobItem>> call(String id, BlobRequestConditions conditions) {
        return context.blob(name)
                .getPageBlobAsyncClient()
                .createWithResponse(new PageBlobCreateOptions(size)
                        .setSequenceNumber(settings.sequenceNumber())
                        .setHeaders(BlobInfoMapper.sdk(settings.headers(), null))
                        .setMetadata(WriteIdMetadata.in(metadata, id))
                        .setRequestConditions(conditions));
    }

    /** Makes the blob in the place of this version of one. */
    Mono<Boolean> replacing(String etag) {
        return Mono.defer(() -> {
            String id = WriteIdMetadata.newId();
            return context.settled(
                    context.write(verb, context.resource(name), BlobContext.MADE),
                    () -> call(id, BlobConditions.onlyIf(etag)),
                    (response, unresolved) -> true,
                    (end, unresolved) -> {
                        BlobWriteVerifier<Boolean> verifier =
                                BlobWriteVerifier.ofMarker(id, etag, unresolved, seen -> true);
                        return BlobReadBack.settle(
                                context,
                                end,
                                unresolved,
                                BlobReadBack.atBlob(context, verb, name, unresolved)
                                        .map(verifier::of));
                    });
        });
    }
}

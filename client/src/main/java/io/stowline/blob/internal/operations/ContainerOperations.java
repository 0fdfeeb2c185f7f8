package io.stowline.blob.internal.operations;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.Response;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobContainerProperties;
import io.stowline.blob.ContainerInfo;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobInfoMapper;
import io.stowline.blob.internal.recovery.BlobReadBack;
import io.stowline.blob.internal.recovery.ExclusiveCreate;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.WriteResult;
import io.stowline.transport.internal.error.Absence;
import io.stowline.transport.internal.outcome.MetadataRules;
import io.stowline.transport.internal.outcome.StoredTexts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The operations on a container itself. What they give arrives on an I/O thread. Thread-safe. */
public record ContainerOperations(BlobContext context) {

    private BlobContainerAsyncClient sdk() {
        return context.container();
    }

    /**
     * Makes the container.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return creation().make().then();
    }

    private ExclusiveCreate creation() {
        return new ExclusiveCreate(
                context,
                Operation.of("create", context.name(), OperationType.CREATE, context.retry())
                        .succeeding(BlobContext.MADE),
                id -> sdk().createWithResponse(id == null ? null : WriteIdMetadata.in(Map.of(), id), null),
                unresolved -> BlobReadBack.atContainer(context, "create", unresolved));
    }

    /**
     * Makes the container unless it is there.
     *
     * @return whether it was made, as far as is known
     */
    public Mono<Boolean> createIfMissing() {
        return creation().makeUnlessThere("ContainerAlreadyExists", false);
    }

    /**
     * Removes the container with all that is in it.
     *
     * @return the end of it
     */
    public Mono<Void> drop() {
        return context.call(context.write("drop", context.name(), BlobContext.DELETED), () -> sdk().deleteWithResponse(
                                null))
                .then()
                .onErrorResume(OutcomeUnknownException.class, e -> gone(e) ? Mono.empty() : Mono.error(e));
    }

    private static boolean gone(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException
                || "ContainerBeingDeleted".equals(end.failure().errorCode());
    }

    /**
     * Removes the container if it exists.
     *
     * @return false if there was none for certain; true if it was removed, or if after a lost response it is gone
     */
    public Mono<Boolean> dropIfExists() {
        return presence(context.write("drop", context.name(), BlobContext.DELETED), drop());
    }

    /**
     * Requests the container.
     *
     * @return whether it is there
     */
    public Mono<Boolean> exists() {
        return presence(
                context.read("exists", context.name()),
                properties(context.read("exists", context.name()).checkingExistence(), response -> true)
                        .then());
    }

    private Mono<Boolean> presence(Operation operation, Mono<Void> call) {
        Mono<Boolean> work = call.thenReturn(true).onErrorResume(Absence::isMeantBy, e -> Mono.just(false));
        return context.asOperation(operation, work);
    }

    /** Reads the properties of the container, from where reads go. */
    public Mono<ContainerInfo> info() {
        return context.located(
                context.read("info", context.name()).routed(context.reads().any()),
                () -> sdk().getPropertiesWithResponse(null),
                BlobInfoMapper::container);
    }

    private <A> Mono<A> properties(Operation read, Function<Response<BlobContainerProperties>, A> meaning) {
        return context.call(read, () -> sdk().getPropertiesWithResponse(null), meaning);
    }

    /**
     * Replaces the container's metadata.
     *
     * @param metadata all names and values
     * @return the end of it
     */
    public Mono<WriteResult> setMetadata(Map<String, String> metadata) {
        return Mono.defer(() -> {
            Mono<Map<String, String>> all = MetadataRules.changed(
                    metadata,
                    () -> properties(
                            context.read("setMetadata", context.name()),
                            response -> StoredTexts.metadata(response.getValue().getMetadata())));
            return all.flatMap(checked -> context.changed(
                    context.write("setMetadata", context.name(), BlobContext.CHANGED),
                    () -> sdk().setMetadataWithResponse(checked, null),
                    response -> Objects.requireNonNullElse(response.getHeaders().getValue(HttpHeaderName.ETAG), "")));
        });
    }
}

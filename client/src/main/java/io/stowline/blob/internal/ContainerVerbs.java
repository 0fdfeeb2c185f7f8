package io.stowline.blob.internal;

import com.azure.core.http.rest.Response;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobContainerProperties;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Operation;
import java.util.Map;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The operations on a container itself. What they give arrives on an I/O thread. Thread-safe. */
public final class ContainerVerbs {

    private final BlobScope scope;

    /**
     * The operations on one container.
     *
     * @param scope the container
     */
    public ContainerVerbs(BlobScope scope) {
        this.scope = scope;
    }

    private BlobContainerAsyncClient sdk() {
        return scope.container();
    }

    /**
     * Makes the container.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        Operation operation = Operation.of("create", scope.name(), Effect.CREATE, scope.retry());
        return scope.call(operation, () -> sdk().createWithResponse(null, null)).then();
    }

    /**
     * Makes the container unless it is there.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return create().thenReturn(true)
                .onErrorResume(
                        ConflictException.class,
                        e -> "ContainerAlreadyExists".equals(e.failure().errorCode())
                                ? Mono.just(false)
                                : Mono.error(e));
    }

    /**
     * Removes the container with all that is in it.
     *
     * @return the end of it
     */
    public Mono<Void> delete() {
        return scope.call(scope.write("deleteContainer", scope.name()), () -> sdk().deleteWithResponse(null))
                .then();
    }

    /**
     * Removes the container if it is there.
     *
     * @return whether it was there
     */
    public Mono<Boolean> deleteIfExists() {
        return presence(delete());
    }

    /**
     * Asks for the container.
     *
     * @return whether it is there
     */
    public Mono<Boolean> exists() {
        return presence(properties("exists", response -> true).then());
    }

    private static Mono<Boolean> presence(Mono<Void> call) {
        return call.thenReturn(true).onErrorResume(NotFoundException.class, e -> Mono.just(false));
    }

    /**
     * Reads the container's metadata.
     *
     * @return names and values
     */
    public Mono<Map<String, String>> metadata() {
        return properties(
                "metadata", response -> Facts.metadata(response.getValue().getMetadata()));
    }

    private <A> Mono<A> properties(String verb, Function<Response<BlobContainerProperties>, A> meaning) {
        return scope.call(scope.read(verb, scope.name()), () -> sdk().getPropertiesWithResponse(null), meaning);
    }

    /**
     * Replaces the container's metadata.
     *
     * @param metadata all names and values
     * @return the end of it
     */
    public Mono<Void> setMetadata(Map<String, String> metadata) {
        return Mono.defer(() -> {
            Map<String, String> checked = MetadataRules.check(metadata);
            return scope.call(scope.write("setMetadata", scope.name()), () -> sdk().setMetadataWithResponse(
                                    checked, null))
                    .then();
        });
    }
}

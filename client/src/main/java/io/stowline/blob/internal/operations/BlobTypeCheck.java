package io.stowline.blob.internal.operations;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.request.BlobReads.StoredProperties;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.transport.internal.error.FailureFacts;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Mono;

/**
 * The check of the type of a blob that exists already.
 *
 * @param verb the caller's verb
 * @param type the type that it is to have
 * @param consequence what cannot be done with a blob of another type
 */
public record BlobTypeCheck(BlobContext context, String verb, String name, BlobType type, String consequence) {

    /**
     * Refuses a blob of another type by a {@link ConflictException}. A credential or key that may not read learns the type at its next
     * write.
     */
    public Mono<Void> passed() {
        return new PropertyReads(context)
                .of(verb, name, null)
                .map(this::otherType)
                .onErrorResume(
                        error -> error instanceof AuthenticationException
                                || error instanceof NotFoundException
                                || error instanceof ConflictException,
                        unseen -> Mono.just(Optional.empty()))
                .flatMap(other -> other.<Mono<Void>>map(Mono::error).orElse(Mono.empty()));
    }

    private Optional<ConflictException> otherType(StoredProperties seen) {
        BlobType found = seen.info().type();
        return found == null || found == type
                ? Optional.empty()
                : Optional.of(new ConflictException(
                        FailureFacts.of(verb, context.resource(name))
                                .ids(seen.ids())
                                .tried(1, 0, Duration.ZERO)
                                .status(200, null)
                                .because(
                                        "there is a " + found + " of this name, to which " + consequence,
                                        "delete it first, or choose another name"),
                        null));
    }
}

package io.stowline.blob.internal.recovery;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.request.Operation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The making of what is not there yet; what must not be there leaves a marker. Immutable. */
public final class ExclusiveCreate {

    private final BlobContext context;
    private final Operation operation;
    private final Function<@Nullable String, Mono<?>> call;
    private final Function<UnresolvedAttempts, Mono<BlobSnapshot>> readBack;

    /**
     * Something to be made.
     *
     * @param call makes it with this id as its marker, or without one
     * @param readBack reads it back
     */
    public ExclusiveCreate(
            BlobContext context,
            Operation operation,
            Function<@Nullable String, Mono<?>> call,
            Function<UnresolvedAttempts, Mono<BlobSnapshot>> readBack) {
        this.context = context;
        this.operation = operation;
        this.call = call;
        this.readBack = readBack;
    }

    /** Makes it; what is there already is a conflict, unless it is this call that made it. */
    public Mono<Boolean> make() {
        return Mono.defer(() -> {
            String id = WriteIdMetadata.newId();
            return context.<Object, Boolean>settled(
                    operation,
                    () -> call.apply(id).cast(Object.class),
                    (response, unresolved) -> true,
                    (end, unresolved) -> {
                        BlobWriteVerifier<Boolean> verifier =
                                BlobWriteVerifier.ofMarker(id, null, unresolved, seen -> true);
                        return BlobReadBack.settle(
                                context,
                                end,
                                unresolved,
                                readBack.apply(unresolved).map(verifier::of));
                    });
        });
    }

    /**
     * Makes it unless something exists, made by any client; this code is the conflict of that case. After a lost
     * response the call does not claim the thing as made by itself, unless it leaves a marker.
     *
     * @param marked whether it leaves a marker
     */
    public Mono<Boolean> makeUnlessThere(String there, boolean marked) {
        Mono<Boolean> work = Mono.defer(() -> {
                    String id = marked ? WriteIdMetadata.newId() : null;
                    return context.<Object, Boolean>settled(
                            operation,
                            () -> call.apply(id).cast(Object.class),
                            (response, unresolved) -> true,
                            (end, unresolved) ->
                                    id == null && there.equals(end.failure().errorCode())
                                            ? Mono.just(false)
                                            : found(end, unresolved, id, there));
                })
                .onErrorResume(
                        ConflictException.class,
                        e -> there.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return context.asOperation(operation, work);
    }

    private Mono<Boolean> found(
            OutcomeUnknownException end, UnresolvedAttempts unresolved, @Nullable String id, String there) {
        Mono<ReadBackResult<Boolean>> once = readBack.apply(unresolved)
                .<ReadBackResult<Boolean>>map(
                        seen -> new ReadBackResult.ProvenDone<>(id != null && id.equals(seen.marker())))
                .onErrorResume(StorageException.class, e -> Mono.just(OutcomeResolver.unseen(e)));
        return OutcomeResolver.readBack(
                        once, unresolved, context.retry().forReadBack().minAttempt())
                .flatMap(finding -> finding instanceof ReadBackResult.Unproven
                                && there.equals(end.failure().errorCode())
                        ? Mono.just(false)
                        : OutcomeResolver.resolved(end, finding));
    }
}

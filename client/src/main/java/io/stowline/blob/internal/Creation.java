package io.stowline.blob.internal;

import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.MetadataMark;
import io.stowline.transport.internal.Operation;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** The making of what must not be there yet, which leaves a mark. Immutable. */
final class Creation {

    private final BlobScope scope;
    private final Operation operation;
    private final Function<String, Mono<?>> call;
    private final Function<Doubt, Mono<Seen>> look;

    /**
     * Something to be made.
     *
     * @param call makes it with this id as its mark
     * @param look reads it back
     */
    Creation(BlobScope scope, Operation operation, Function<String, Mono<?>> call, Function<Doubt, Mono<Seen>> look) {
        this.scope = scope;
        this.operation = operation;
        this.call = call;
        this.look = look;
    }

    /** Makes it; what is there already is a conflict, unless it is this call that made it. */
    Mono<Boolean> make() {
        return Mono.defer(() -> {
            String id = MetadataMark.newId();
            return scope.<Object, Boolean>settled(
                    operation, () -> call.apply(id).cast(Object.class), (answer, doubt) -> true, (end, doubt) -> {
                        Judge<Boolean> judge = Judge.ofMark(id, null, doubt, seen -> true);
                        return Settled.of(scope, end, doubt, look.apply(doubt).map(judge::of));
                    });
        });
    }

    /** Makes it unless something is there, whoever made that; this code is the conflict that says so. */
    Mono<Boolean> makeUnlessThere(String there) {
        Mono<Boolean> work = Mono.defer(() -> {
                    String id = MetadataMark.newId();
                    return scope.<Object, Boolean>settled(
                            operation,
                            () -> call.apply(id).cast(Object.class),
                            (answer, doubt) -> true,
                            (end, doubt) -> look.apply(doubt)
                                    .map(seen -> id.equals(seen.mark()))
                                    .onErrorResume(StorageException.class, e -> unseen(end, e, there)));
                })
                .onErrorResume(
                        ConflictException.class,
                        e -> there.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return scope.told(operation, work);
    }

    private static Mono<Boolean> unseen(OutcomeUnknownException end, StorageException e, String there) {
        return there.equals(end.failure().errorCode())
                ? Mono.just(false)
                : Mono.error(Failures.stillUnknown(end, "reading back failed: " + e.getMessage()));
    }
}

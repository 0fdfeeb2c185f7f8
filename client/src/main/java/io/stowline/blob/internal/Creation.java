package io.stowline.blob.internal;

import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Finding;
import io.stowline.transport.internal.MetadataMark;
import io.stowline.transport.internal.Operation;
import io.stowline.transport.internal.Settlement;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The making of what is not there yet; what must not be there leaves a mark. Immutable. */
final class Creation {

    private final BlobScope scope;
    private final Operation operation;
    private final Function<@Nullable String, Mono<?>> call;
    private final Function<Doubt, Mono<Seen>> look;

    /**
     * Something to be made.
     *
     * @param call makes it with this id as its mark, or without one
     * @param look reads it back
     */
    Creation(
            BlobScope scope,
            Operation operation,
            Function<@Nullable String, Mono<?>> call,
            Function<Doubt, Mono<Seen>> look) {
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

    /**
     * Makes it unless something is there, by whomever that was made; this code is the conflict that says so. What this call makes it does
     * not claim as its own after a lost answer, unless it leaves a mark.
     *
     * @param marked whether it leaves a mark
     */
    Mono<Boolean> makeUnlessThere(String there, boolean marked) {
        Mono<Boolean> work = Mono.defer(() -> {
                    String id = marked ? MetadataMark.newId() : null;
                    return scope.<Object, Boolean>settled(
                            operation,
                            () -> call.apply(id).cast(Object.class),
                            (answer, doubt) -> true,
                            (end, doubt) ->
                                    id == null && there.equals(end.failure().errorCode())
                                            ? Mono.just(false)
                                            : found(end, doubt, id, there));
                })
                .onErrorResume(
                        ConflictException.class,
                        e -> there.equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return scope.told(operation, work);
    }

    private Mono<Boolean> found(OutcomeUnknownException end, Doubt doubt, @Nullable String id, String there) {
        Mono<Finding<Boolean>> once = look.apply(doubt)
                .<Finding<Boolean>>map(seen -> new Finding.Done<>(id != null && id.equals(seen.mark())))
                .onErrorResume(StorageException.class, e -> Mono.just(Settlement.unseen(e)));
        return Settlement.look(once, doubt, scope.retry().leastAttempt())
                .flatMap(finding -> finding instanceof Finding.Unknown
                                && there.equals(end.failure().errorCode())
                        ? Mono.just(false)
                        : Settlement.told(end, finding));
    }
}

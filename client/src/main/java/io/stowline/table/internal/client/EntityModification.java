package io.stowline.table.internal.client;

import io.stowline.error.PreconditionFailedException;
import io.stowline.table.EntityKey;
import io.stowline.table.StoredEntity;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.PointReads;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.UserCode;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One call of {@code modify}: read from the primary, change, replace that version, and again while other writers are faster. For one
 * caller.
 */
final class EntityModification<T> {

    private final TableContext<T> context;
    private final PointReads<T> reads;
    private final EntityKey key;
    private final UnaryOperator<T> change;
    private final ConflictRounds rounds;

    EntityModification(TableContext<T> context, String partitionKey, String rowKey, UnaryOperator<T> change) {
        this.context = context.with(ReadFrom.PRIMARY);
        this.reads = new PointReads<>(this.context);
        this.key = new EntityKey(partitionKey, rowKey);
        this.change = Objects.requireNonNull(change, "change");
        this.rounds = new ConflictRounds(context);
    }

    /** Runs the change on the calling thread, and returns the result. */
    Optional<StoredEntity<T>> await() {
        while (true) {
            Optional<StoredEntity<T>> found =
                    Optional.ofNullable(BlockingAwait.on(reads.one(key))).map(reads::decoded);
            T value = found.map(this::changed).orElse(null);
            if (value == null) {
                return found;
            }
            try {
                return Optional.ofNullable(BlockingAwait.on(written(found.orElseThrow(), value)));
            } catch (PreconditionFailedException conflict) {
                BlockingAwait.on(rounds.pause(conflict));
            }
        }
    }

    /** Runs the change on the callback threads, and returns the result. */
    Mono<StoredEntity<T>> mono() {
        return rounds.repeat(Mono.defer(() -> delivered(reads.one(key)))
                .map(UserCode.contained(reads::decoded))
                .flatMap(found -> {
                    T value = UserCode.call(() -> changed(found));
                    return value == null ? Mono.just(found) : delivered(written(found, value));
                }));
    }

    private <R> Mono<R> delivered(Mono<R> result) {
        return context.service().delivered(result);
    }

    /** Null if the change leaves the value unchanged. */
    private @Nullable T changed(StoredEntity<T> found) {
        T value = Objects.requireNonNull(
                change.apply(found.value()), () -> "the change of " + key + " gave null; delete removes an entity");
        if (value.equals(found.value())) {
            return null;
        }
        EntityKey changed = new EntityKey(
                context.codec().partitionKey(value), context.codec().rowKey(value));
        if (!changed.equals(key)) {
            throw new IllegalArgumentException("a change keeps the keys, but " + key + " became " + changed);
        }
        return value;
    }

    private Mono<StoredEntity<T>> written(StoredEntity<T> found, T value) {
        return Mono.defer(
                        () -> context.write(UserCode.call(() -> context.encode(EntityVerb.REPLACE, found.with(value)))))
                .map(written -> StoredEntity.of(value, written.etag()));
    }
}

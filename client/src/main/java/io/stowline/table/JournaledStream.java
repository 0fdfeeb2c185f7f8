package io.stowline.table;

import io.stowline.batching.Batcher;
import io.stowline.batching.Tagged;
import io.stowline.batching.TaggedResult;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.JournalLine;
import io.stowline.table.internal.LaneItem;
import io.stowline.table.internal.LaneKey;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Takes what a publisher gives into a writer by way of its journal, in its order. */
final class JournaledStream<T> {

    /** How many operations may be on their way to the disk; those on the disk are under the writer's own window. */
    private static final int TO_DISK = 256;

    private final TableScope<T> scope;
    private final Batcher<LaneKey, LaneItem, Written> batcher;
    private final JournalLine line;

    JournaledStream(TableScope<T> scope, Batcher<LaneKey, LaneItem, Written> batcher, JournalLine line) {
        this.scope = scope;
        this.batcher = batcher;
        this.line = line;
    }

    /** What comes with an operation: what its sender gave, and the item that must leave the journal if it is refused. */
    private record Tag<C>(C context, @Nullable LaneItem item) {}

    <C> Flux<TableOperationResult<C>> writeAll(Publisher<? extends TableOperation<T, C>> operations) {
        Flux<Tagged<LaneKey, LaneItem, Tag<C>>> items = Flux.from(operations)
                .flatMapSequential(
                        this::tagged, Math.min(TO_DISK, batcher.settings().bufferItems()), 1);
        return batcher.writeAll(items).map(this::result);
    }

    private <C> Mono<Tagged<LaneKey, LaneItem, Tag<C>>> tagged(TableOperation<T, C> operation) {
        C context = operation.context();
        return Mono.defer(() -> line.write(
                        encoded(operation), item -> Mono.just(Tagged.of(lane(item), item, new Tag<>(context, item)))))
                .onErrorResume(
                        RuntimeException.class,
                        refusal -> Mono.just(Tagged.refused(refusal, new Tag<>(context, null))));
    }

    private EncodedOperation encoded(TableOperation<T, ?> operation) {
        return operation.encode(scope);
    }

    private LaneKey lane(LaneItem item) {
        return scope.service().lane(scope.client().table(), item.operation().partitionKey());
    }

    private <C> TableOperationResult<C> result(TaggedResult<Tag<C>, Written> result) {
        Tag<C> tag = result.tag();
        result.failure().ifPresent(failure -> line.refused(tag.item, failure));
        return new TableOperationResult<>(tag.context, result);
    }
}

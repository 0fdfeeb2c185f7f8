package io.stowline.table;

import io.stowline.batching.Batcher;
import io.stowline.batching.BatcherSettings;
import io.stowline.batching.FlushReport;
import io.stowline.batching.Submission;
import io.stowline.table.internal.EncodedOperation;
import io.stowline.table.internal.LaneItem;
import io.stowline.table.internal.LaneKey;
import io.stowline.table.internal.TableService;
import io.stowline.table.internal.WriteCounters;
import io.stowline.transport.internal.LeakWatch;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** What both faces of a writer stand on: a batcher over the lanes that all writers of the client share. */
final class WriterCore<T> {

    private final TableScope<T> scope;
    private final Batcher<LaneKey, LaneItem, Written> batcher;
    private final WriteCounters counters = new WriteCounters();

    WriterCore(TableScope<T> scope, UnaryOperator<BatcherSettings.Builder> settings) {
        this.scope = scope;
        this.batcher = scope.service()
                .lanes()
                .batcher(settings.apply(BatcherSettings.builder()).build());
        scope.service().opened(batcher);
        watch(scope.service(), batcher, scope.client().table());
    }

    /** Apart, so that what is watched cannot be held by the watching. */
    private void watch(TableService service, Batcher<LaneKey, LaneItem, Written> batcher, String table) {
        LeakWatch.shared().watch(this, "a writer of the table " + table, () -> service.isOpen(batcher));
    }

    TableScope<T> scope() {
        return scope;
    }

    /** Waits for room. */
    Submission<Written> submit(EncodedOperation operation) {
        return batcher.submit(lane(operation), item(operation));
    }

    /** Refuses when there is no room. */
    Submission<Written> offer(EncodedOperation operation) {
        return batcher.offer(lane(operation), item(operation));
    }

    /** Waits for room without a thread. */
    Mono<Written> write(EncodedOperation operation) {
        return batcher.write(lane(operation), item(operation));
    }

    Mono<FlushReport> flush() {
        return batcher.flush();
    }

    Mono<Void> closeAsync() {
        return batcher.closeAsync().doFinally(signal -> scope.service().closed(batcher));
    }

    void close() {
        try {
            batcher.close();
        } finally {
            scope.service().closed(batcher);
        }
    }

    Batcher<LaneKey, LaneItem, Written> batcher() {
        return batcher;
    }

    WriterFigures figures() {
        return counters.figures();
    }

    private LaneItem item(EncodedOperation operation) {
        return new LaneItem(scope.client(), operation, counters);
    }

    private LaneKey lane(EncodedOperation operation) {
        return scope.service().lane(scope.client().table(), operation.partitionKey());
    }
}

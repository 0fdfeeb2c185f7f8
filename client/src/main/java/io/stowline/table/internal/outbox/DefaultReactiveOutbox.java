package io.stowline.table.internal.outbox;

import io.stowline.projection.filter.Filter;
import io.stowline.queue.QueueConsumer;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.TableService;
import io.stowline.table.outbox.ReactiveOutbox;
import java.time.Duration;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** {@link ReactiveOutbox} of a client. */
public final class DefaultReactiveOutbox implements ReactiveOutbox {

    private static final int AT_A_TIME = 8;

    private final TableService tables;
    private final ClientOutbox outbox;
    private final OutboxRelay relay;

    public DefaultReactiveOutbox(TableService tables, ClientOutbox outbox) {
        this.tables = tables;
        this.outbox = outbox;
        this.relay = new OutboxRelay(tables, outbox);
    }

    @Override
    public QueueConsumer relay() {
        return relay.start();
    }

    @Override
    public Mono<Long> recover(String table) {
        return tables.delivered(recovered(table));
    }

    Mono<Long> recovered(String name) {
        TableOperations operations =
                tables.table(Objects.requireNonNull(name, "table")).with(ScanPolicy.ALLOW);
        Mono<Long> work = OutboxRelay.entities(QueryPlan.of(relay.context(operations))
                        .where(Filter.rowKey().startsWith(OutboxKey.PREFIX)))
                .filter(row -> !OutboxRow.of(row).isFence())
                .map(row -> new OutboxHint(operations.table(), OutboxKey.idOf(row.rowKey()), row.partitionKey()))
                .distinctUntilChanged()
                .flatMap(hint -> outbox.hints().send(hint, Duration.ZERO, operations.retry()), AT_A_TIME)
                .count();
        return operations.asOperation("recover", operations::table, work);
    }
}

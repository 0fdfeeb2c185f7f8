package io.stowline.table.internal.outbox;

import io.stowline.error.BadRequestException;
import io.stowline.error.NotFoundException;
import io.stowline.projection.Mapping;
import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.OutboxKey;
import io.stowline.table.internal.operation.TableContext;
import io.stowline.table.internal.query.QueryPlan;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.write.TableOperations;
import io.stowline.table.internal.writer.TableService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A relay that sends the messages to which hints point. A transaction whose deadline is over and that has left no rows was not committed, or
 * its messages were sent. A process that has slept may still try to commit it: a fence in the place of its first row refuses that for a week.
 */
final class OutboxRelay {

    private static final String ANY_TABLE = "outbox";
    private static final Duration FENCED = Duration.ofDays(7);
    private static final int MAX_FAILURES = 1_000;
    private static final Backoff PAUSES = Backoff.ladder(
            Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(5));

    private final TableService tables;
    private final ClientOutbox outbox;

    OutboxRelay(TableService tables, ClientOutbox outbox) {
        this.tables = tables;
        this.outbox = outbox;
    }

    /**
     * Starts it.
     *
     * @throws IllegalArgumentException if the account has no table endpoint, without which each hint would be poison
     */
    QueueConsumer start() {
        tables.table(ANY_TABLE);
        return outbox.hints()
                .queue()
                .reactive()
                .consume(this::handled)
                .poisonAfter(MAX_FAILURES)
                .retryDelay(PAUSES)
                .onFailure(OutboxRelay::action)
                .start();
    }

    /** A message that the service refuses for its content, and a hint that is none, are for people. */
    private static FailureAction action(QueueConsumer.Failure failure) {
        return failure.error() instanceof IllegalArgumentException || failure.error() instanceof BadRequestException
                ? FailureAction.POISON
                : FailureAction.GIVE_BACK;
    }

    private Mono<Void> handled(MessageLease<String> lease) {
        OutboxHint hint = OutboxHint.parse(lease.body());
        TableOperations table = tables.table(hint.table());
        return rows(table, hint)
                .collectList()
                .flatMap(found -> found.isEmpty() ? fenced(table, hint, lease) : relayed(table, found, lease))
                .onErrorResume(OutboxRelay::isTableGone, gone -> Mono.empty());
    }

    private Flux<Entity> rows(TableOperations table, OutboxHint hint) {
        return entities(
                QueryPlan.of(context(table)).partition(hint.partitionKey()).rowPrefix(OutboxKey.prefix(hint.id())));
    }

    TableContext<Entity> context(TableOperations table) {
        return new TableContext<>(tables, table, OutboxRow.CODEC, Mapping.standard());
    }

    static Flux<Entity> entities(QueryPlan<Entity> plan) {
        return plan.valuePages().concatMapIterable(page -> RowDecoder.values(page, OutboxRow.CODEC.reader()));
    }

    private static boolean isTableGone(Throwable error) {
        return error instanceof NotFoundException absent
                && "TableNotFound".equals(absent.failure().errorCode());
    }

    private static Mono<Void> fenced(TableOperations table, OutboxHint hint, MessageLease<String> lease) {
        OutboxRow fence = OutboxRow.fence(hint.partitionKey(), new OutboxKey(hint.id(), 0).text());
        return table.write(fence.insert(table))
                .then(Mono.defer(() -> lease.reactive().retryIn(FENCED)));
    }

    private Mono<Void> relayed(TableOperations table, List<Entity> found, MessageLease<String> lease) {
        List<OutboxRow> rows = found.stream().map(OutboxRow::of).toList();
        if (!rows.get(0).isFence()) {
            return outbox.delivery().again(table, rows);
        }
        Instant written = found.get(0).timestamp();
        return outbox.hints().serviceTime().flatMap(now -> {
            Duration age = written == null ? FENCED : Duration.between(written, now);
            if (age.compareTo(FENCED) >= 0) {
                return table.deleteIfExists(rows.get(0).delete(table)).then();
            }
            Duration rest = age.isNegative() ? FENCED : FENCED.minus(age);
            return lease.reactive().retryIn(rest);
        });
    }
}

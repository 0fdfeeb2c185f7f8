package io.stowline.table.internal.outbox;

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
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
                .consume(this::handled)
                .poisonAfter(MAX_FAILURES)
                .retryDelay(PAUSES)
                .onFailure(OutboxRelay::action)
                .start();
    }

    /** A message that the service refuses for its content, and a hint that is none, are for people. */
    private static FailureAction action(QueueConsumer.Failure failure) {
        return OutboxDelivery.isRefused(failure.error()) ? FailureAction.POISON : FailureAction.GIVE_BACK;
    }

    private Mono<Void> handled(MessageLease<String> lease) {
        OutboxHint hint = OutboxHint.parse(lease.body());
        TableOperations operations = tables.table(hint.table());
        return closedRange(operations, hint)
                .flatMap(found -> relayed(operations, found, lease))
                .onErrorResume(OutboxRelay::isTableGone, gone -> Mono.empty());
    }

    /**
     * Reads the rows of a transaction once the key of the first one is taken, by the message or by a fence: then no commit can come, and
     * rows only go. A row behind a free key shows that the sender has removed the first one.
     */
    private Mono<List<Entity>> closedRange(TableOperations operations, OutboxHint hint) {
        OutboxRow fence = OutboxRow.fence(hint.partitionKey(), new OutboxKey(hint.id(), 0).text());
        Mono<List<Entity>> rows = Mono.defer(() -> rows(operations, hint).collectList());
        return rows.flatMap(found -> !found.isEmpty() && found.get(0).rowKey().equals(fence.rowKey())
                ? Mono.just(found)
                : operations.write(fence.insert(operations)).then(rows));
    }

    private Flux<Entity> rows(TableOperations operations, OutboxHint hint) {
        return entities(QueryPlan.of(context(operations))
                .partition(hint.partitionKey())
                .rowPrefix(OutboxKey.prefix(hint.id())));
    }

    TableContext<Entity> context(TableOperations operations) {
        return new TableContext<>(tables, operations.with(ReadFrom.PRIMARY), OutboxRow.CODEC, Mapping.standard());
    }

    static Flux<Entity> entities(QueryPlan<Entity> plan) {
        return plan.valuePages().concatMapIterable(page -> RowDecoder.values(page, OutboxRow.CODEC.reader()));
    }

    private static boolean isTableGone(Throwable error) {
        return error instanceof NotFoundException absent
                && "TableNotFound".equals(absent.failure().errorCode());
    }

    /** Messages beside a fence are those of a committed transaction, which needs none. A fence alone stays for its week. */
    private Mono<Void> relayed(TableOperations operations, List<Entity> found, MessageLease<String> lease) {
        List<OutboxRow> messages =
                found.stream().map(OutboxRow::of).filter(row -> !row.isFence()).toList();
        Mono<Void> unfenced = Flux.fromStream(() -> found.stream().map(OutboxRow::of))
                .filter(OutboxRow::isFence)
                .concatMap(fence -> operations.deleteIfExists(fence.delete(operations)))
                .then();
        return !messages.isEmpty() || found.isEmpty()
                ? outbox.delivery().again(operations, messages).then(unfenced)
                : fenced(found.get(0).timestamp(), unfenced, lease);
    }

    private Mono<Void> fenced(@Nullable Instant written, Mono<Void> unfenced, MessageLease<String> lease) {
        return outbox.hints().serviceTime().flatMap(now -> {
            Duration age = written == null ? FENCED : Duration.between(written, now);
            if (age.compareTo(FENCED) >= 0) {
                return unfenced;
            }
            return lease.reactive().retryIn(age.isNegative() ? FENCED : FENCED.minus(age));
        });
    }
}

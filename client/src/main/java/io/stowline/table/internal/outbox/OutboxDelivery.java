package io.stowline.table.internal.outbox;

import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.write.TableOperations;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The delivery of rows: each message is sent, and then its row removed, so that a crash between the two repeats one message. Thread-safe. */
final class OutboxDelivery {

    /** The hint repeats a delivery that takes longer: until then its texts are in memory. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    private final ConsumerRegistry queues;

    OutboxDelivery(ConsumerRegistry queues) {
        this.queues = queues;
    }

    /** Sends rows after their commit, each by one attempt. */
    Mono<Void> first(TableOperations table, List<OutboxRow> rows) {
        return deliver(table, rows, OutboxDelivery::once);
    }

    private static QueueOperations once(QueueOperations queue) {
        RetrySettings settings = queue.retry();
        Duration attempt = settings.attemptTimeout().compareTo(FIRST) < 0 ? settings.attemptTimeout() : FIRST;
        return queue.with(
                settings.toBuilder().retries(0).attemptTimeout(attempt).build());
    }

    /** Sends rows as long as the retry settings of the client allow. */
    Mono<Void> again(TableOperations table, List<OutboxRow> rows) {
        return deliver(table, rows, UnaryOperator.identity());
    }

    private Mono<Void> deliver(TableOperations table, List<OutboxRow> rows, UnaryOperator<QueueOperations> way) {
        return Flux.fromIterable(rows)
                .concatMap(row -> send(row, way).then(Mono.defer(() -> table.deleteIfExists(row.delete(table)))))
                .then();
    }

    private Mono<Void> send(OutboxRow row, UnaryOperator<QueueOperations> way) {
        return Mono.defer(() -> way.apply(queues.queue(row.target())).send(row.text(), row.delay(), row.timeToLive()))
                .doOnSuccess(sent -> {
                    if (row.delay() == null || row.delay().isZero()) {
                        queues.sent(sent.queue());
                    }
                })
                .then();
    }
}

package io.stowline.table.internal.outbox;

import io.stowline.error.BadRequestException;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.write.TableOperations;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The delivery of rows: each message is sent, and then its row removed, so that a crash between the two repeats one message. Sends are work
 * in the background: a queue that responds late holds up no commit, whose hint goes to the same service. Thread-safe.
 */
final class OutboxDelivery {

    /** The hint repeats a delivery that takes longer: until then its texts are in memory. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    private final ConsumerRegistry queues;

    OutboxDelivery(ConsumerRegistry queues) {
        this.queues = queues;
    }

    /** Sends rows after their commit, each by one attempt. */
    Mono<Void> first(TableOperations operations, List<OutboxRow> rows) {
        return deliver(operations, rows, OutboxDelivery::once);
    }

    private static QueueOperations once(QueueOperations queue) {
        RetrySettings settings = queue.retry();
        Duration attempt = settings.attemptTimeout().compareTo(FIRST) < 0 ? settings.attemptTimeout() : FIRST;
        return queue.with(
                settings.toBuilder().retries(0).attemptTimeout(attempt).build());
    }

    /** Sends rows as long as the retry settings of the client allow. */
    Mono<Void> again(TableOperations operations, List<OutboxRow> rows) {
        return deliver(operations, rows, UnaryOperator.identity());
    }

    /** Returns whether a message is refused for its content, so that sending it again does not help. */
    static boolean isRefused(Throwable error) {
        return error instanceof IllegalArgumentException || error instanceof BadRequestException;
    }

    /**
     * Sends the messages to each queue one after the other, beside those to other queues. One that fails ends those behind it, and one that is
     * refused none.
     */
    private Mono<Void> deliver(TableOperations operations, List<OutboxRow> rows, UnaryOperator<QueueOperations> way) {
        return Mono.defer(() -> {
            List<RuntimeException> failures = new CopyOnWriteArrayList<>();
            return Flux.fromIterable(byQueue(rows))
                    .flatMap(messages -> Flux.fromIterable(messages)
                            .concatMap(row -> delivered(operations, row, way, failures))
                            .onErrorResume(RuntimeException.class, e -> {
                                failures.add(e);
                                return Mono.empty();
                            }))
                    .then(Mono.defer(() -> failures.isEmpty() ? Mono.empty() : Mono.error(first(failures))));
        });
    }

    private static Collection<List<OutboxRow>> byQueue(List<OutboxRow> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(OutboxRow::target, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private Mono<Boolean> delivered(
            TableOperations operations,
            OutboxRow row,
            UnaryOperator<QueueOperations> way,
            List<RuntimeException> failures) {
        return send(row, way)
                .thenReturn(true)
                .onErrorResume(OutboxDelivery::isRefused, e -> {
                    failures.add((RuntimeException) e);
                    return Mono.just(false);
                })
                .flatMap(sent -> sent ? operations.deleteIfExists(row.delete(operations)) : Mono.just(false));
    }

    /** Returns the first failure that may end, if there is one: as long as some message can go out, the hint comes again. */
    private static RuntimeException first(List<RuntimeException> failures) {
        RuntimeException first = failures.stream()
                .filter(failure -> !isRefused(failure))
                .findFirst()
                .orElse(failures.get(0));
        failures.stream().filter(failure -> failure != first).forEach(first::addSuppressed);
        return first;
    }

    private Mono<Void> send(OutboxRow row, UnaryOperator<QueueOperations> way) {
        return Mono.defer(() -> way.apply(queues.queue(row.target()))
                        .sendInBackground(row.text(), row.delay(), row.timeToLive()))
                .doOnSuccess(sent -> {
                    if (row.delay() == null || row.delay().isZero()) {
                        queues.sent(sent.queue());
                    }
                })
                .then();
    }
}

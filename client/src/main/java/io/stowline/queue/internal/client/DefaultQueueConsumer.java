package io.stowline.queue.internal.client;

import io.stowline.error.internal.SettingRanges;
import io.stowline.observe.ConsumerEvent;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.internal.consumer.ConsumerCounters;
import io.stowline.queue.internal.consumer.ConsumerEngine;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.UnblockableMono;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@link QueueConsumer} that a {@link ConsumerEngine} runs. */
final class DefaultQueueConsumer implements QueueConsumer {

    static final Duration MAX_STOP = Duration.ofDays(1);
    private static final String STILL_STOPPING =
            "interrupted while waiting for a consumer to stop; the stop goes on, and stop(..) can be called again";
    private final ConsumerEngine engine;
    private final Callbacks callbacks;

    DefaultQueueConsumer(ConsumerEngine engine, Callbacks callbacks) {
        this.engine = engine;
        this.callbacks = callbacks;
    }

    @Override
    public String queue() {
        return engine.queue();
    }

    @Override
    public int concurrency() {
        return engine.concurrency();
    }

    @Override
    public void concurrency(int concurrency) {
        engine.concurrency(
                SettingRanges.between("concurrency", concurrency, 1, DefaultConsumerBuilder.MAX_CONCURRENCY));
    }

    @Override
    public void pause() {
        engine.pause();
    }

    @Override
    public void resume() {
        engine.resume();
    }

    @Override
    public boolean isPaused() {
        return engine.isPaused();
    }

    @Override
    public QueueConsumer.Stats stats() {
        return stats(engine.counters());
    }

    @Override
    public QueueConsumer.StopReport stop(Duration atMost) {
        String refusal = engine.stopRefusal();
        if (refusal != null) {
            throw new IllegalStateException(refusal + "; stopAsync(..) does not wait");
        }
        return Objects.requireNonNull(BlockingAwait.on(stopping(atMost), STILL_STOPPING));
    }

    @Override
    public Mono<QueueConsumer.StopReport> stopAsync(Duration atMost) {
        Mono<QueueConsumer.StopReport> stop =
                new UnblockableMono<>(callbacks.deliver(stopping(atMost)), this::blockRefusal);
        return Mono.deferContextual(seen -> engine.isInHandler(seen)
                ? Mono.error(new IllegalStateException("what a handler of the consumer of " + queue()
                        + " returns cannot wait for its stop, which waits for the handler; subscribe"
                        + " to stopAsync(..) by itself"))
                : stop);
    }

    private @Nullable String blockRefusal() {
        String refusal = engine.stopRefusal();
        return refusal == null
                ? null
                : refusal + "; stopAsync(..) is subscribed to, without block(), toIterable() or toFuture()";
    }

    @Override
    public boolean canAwaitStop() {
        return engine.stopRefusal() == null && !Schedulers.isInNonBlockingThread();
    }

    private Mono<QueueConsumer.StopReport> stopping(Duration atMost) {
        SettingRanges.between("atMost", atMost, DefaultConsumerBuilder.MILLISECOND, MAX_STOP);
        return engine.stop(atMost);
    }

    @Override
    public void close() {
        stop(engine.settings().stopTimeout());
    }

    private static QueueConsumer.Stats stats(ConsumerCounters counters) {
        return new QueueConsumer.Stats(
                counters.running(),
                counters.inHand(),
                counters.of(ConsumerEvent.Result.COMPLETED),
                counters.of(ConsumerEvent.Result.RETRIED),
                counters.of(ConsumerEvent.Result.POISONED),
                counters.of(ConsumerEvent.Result.POISON_FAILED),
                counters.of(ConsumerEvent.Result.RELEASED),
                counters.of(ConsumerEvent.Result.LOST),
                counters.backlog(),
                counters.pollAge(),
                counters.oldestAge(),
                counters.pollFailure());
    }

    @Override
    public String toString() {
        return "QueueConsumer[" + queue() + "]";
    }
}

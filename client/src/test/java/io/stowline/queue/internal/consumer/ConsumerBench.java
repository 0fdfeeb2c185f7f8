package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.ConsumerEnvironment.DeliveryEnd;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.retry.Backoff;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A consumer over a simulated queue in virtual time, whose handlers return when a test says so. */
final class ConsumerBench {

    static final Duration LEASE = Duration.ofSeconds(30);

    static final ConsumerSettings SETTINGS = new ConsumerSettings(
            16,
            1,
            LEASE,
            Duration.ofHours(1),
            5,
            Backoff.fixed(Duration.ofSeconds(2)),
            null,
            Duration.ofMillis(100),
            Duration.ofMillis(9_500),
            Duration.ofSeconds(20));

    final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    final SimulatedQueue queue = new SimulatedQueue(time);
    final SimulatedChannel channel = new SimulatedChannel(queue, time, time);
    final List<Handled> handled = new ArrayList<>();
    final List<String> results = new ArrayList<>();
    final List<DeliveryEnd> ends = new ArrayList<>();
    private @Nullable ConsumerEngine engine;

    @Nullable
    EnvelopeFormat envelopes;

    /** The memory of the client; another one makes another process of the next engine. */
    DeliveryHistories histories = new DeliveryHistories(time);

    /** Reads bodies from blobs. */
    Function<MessageView, Mono<MessageView>> bodies = Mono::just;

    /** A call of the handler. */
    static final class Handled implements MessageHandling.HandlerCall {

        private final List<LeaseKeeper> messages;
        private final MessageHandling.Progress progress;
        private boolean cancelled;
        private boolean returned;

        Handled(List<LeaseKeeper> messages, MessageHandling.Progress progress) {
            this.messages = messages;
            this.progress = progress;
        }

        List<String> ids() {
            return messages.stream().map(LeaseKeeper::id).toList();
        }

        LeaseKeeper message() {
            return messages.get(0);
        }

        List<LeaseKeeper> messages() {
            return messages;
        }

        boolean isCancelled() {
            return cancelled;
        }

        boolean isRunning() {
            return !returned;
        }

        void succeeds() {
            returned = true;
            progress.ended(null);
        }

        void fails() {
            fails(new IllegalStateException("handler"));
        }

        void fails(Throwable error) {
            returned = true;
            progress.ended(error);
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    ConsumerEngine engine() {
        return engine(SETTINGS);
    }

    ConsumerEngine engine(ConsumerSettings settings) {
        return engine(settings, (messages, progress) -> {
            Handled call = new Handled(messages, progress);
            handled.add(call);
            progress.began();
            return call;
        });
    }

    ConsumerEngine engine(ConsumerSettings settings, MessageHandling handling) {
        Random random = new Random(1);
        ConsumerEngine made = new ConsumerEngine(
                settings,
                handling,
                new ConsumerEnvironment(
                        new KeeperEnvironment(
                                channel,
                                envelopes,
                                new SerialExecutor(),
                                time,
                                random,
                                Runnable::run,
                                settings.lease(),
                                settings.maxHold()),
                        histories,
                        bodies,
                        (message, event, end) -> {
                            results.add(end.result() + " " + message.id());
                            ends.add(end);
                        }));
        engine = made;
        made.start();
        return made;
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    /** The newest call of the handler. */
    Handled last() {
        return handled.get(handled.size() - 1);
    }

    /** Returns the number of messages in the consumer's hands. */
    int engineInHand() {
        return engine.counters().inHand();
    }

    /** Returns the number of running handlers. */
    int running() {
        return engine.counters().running();
    }

    boolean isStopped() {
        return !engine.isRunning() && !engine.isPaused();
    }

    void wake() {
        engine.wake(SimulatedQueue.NAME);
    }

    long count(Result result) {
        return engine.counters().of(result);
    }

    /** Stops, and gives the report once there is one. */
    AtomicReference<StopReport> stop(Duration atMost) {
        AtomicReference<StopReport> report = new AtomicReference<>();
        engine.stop(atMost).subscribe(report::set);
        return report;
    }

    /** The settings with other ones. */
    static ConsumerSettings settings(int concurrency, int batchSize, @Nullable Duration handlerTimeout) {
        return new ConsumerSettings(
                concurrency,
                batchSize,
                SETTINGS.lease(),
                SETTINGS.maxHold(),
                SETTINGS.poisonAfter(),
                SETTINGS.retryDelay(),
                handlerTimeout,
                SETTINGS.minPollDelay(),
                SETTINGS.maxPollDelay(),
                SETTINGS.stopTimeout());
    }
}

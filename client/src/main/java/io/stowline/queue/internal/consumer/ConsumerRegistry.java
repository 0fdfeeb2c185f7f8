package io.stowline.queue.internal.consumer;

import static io.stowline.retry.internal.timeout.RenewalTimes.shorter;

import com.azure.core.util.serializer.JsonSerializer;
import io.stowline.error.ClosedException;
import io.stowline.observe.ConsumerEvent;
import io.stowline.observe.OperationInfo.HandledMessage;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.QueueService;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.consumer.channel.QueueChannel;
import io.stowline.queue.internal.consumer.handler.HandlerThreads;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher.LeaseEnding;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.concurrent.AwaitedCode;
import io.stowline.transport.internal.concurrent.Callbacks;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.ListenerCalls;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.observe.OperationObserver.ObservedCode;
import io.stowline.transport.internal.observe.PipelineState.ConsumerGauges;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/** The queues of one client, with its consumers and the messages that it holds for the application. Thread-safe. */
public final class ConsumerRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerRegistry.class);
    private static final Duration MAX_HOLD = Duration.ofDays(7);

    private final String account;
    private final QueueService queues;
    private final ClientRuntime runtime;
    private final @Nullable JsonSerializer messageSerializer;
    private final Set<ConsumerEngine> open = ConcurrentHashMap.newKeySet();
    private final Set<LeaseKeeper> leases = ConcurrentHashMap.newKeySet();
    private final DeliveryHistories histories;
    private @Nullable HandlerThreads threads;
    private boolean closed;
    private boolean ended;

    /**
     * The queues of a client that has no consumer yet.
     *
     * @param account the account's name
     * @param messageSerializer maps bodies to JSON, or {@code null} for the library's mapping
     */
    public ConsumerRegistry(
            String account, QueueService queues, ClientRuntime runtime, @Nullable JsonSerializer messageSerializer) {
        this.account = account;
        this.queues = queues;
        this.runtime = runtime;
        this.messageSerializer = messageSerializer;
        this.histories = new DeliveryHistories(runtime.timer());
        runtime.consumers().readFrom(new Gauges(any -> true));
    }

    /**
     * Shows the consumers of a queue as the relays of the client.
     *
     * @return their figures
     */
    public ConsumerGauges.GaugeSource relaysOf(String queue) {
        ConsumerGauges.GaugeSource relays =
                new Gauges(consumer -> consumer.queue().equals(queue));
        runtime.relays().readFrom(relays);
        return relays;
    }

    /** Returns the mapping of bodies to JSON, or {@code null} for the library's. */
    public @Nullable JsonSerializer messageSerializer() {
        return messageSerializer;
    }

    /** Returns the operations of a queue. */
    public QueueOperations queue(String name) {
        return queues.queue(name);
    }

    /** Returns the callbacks that deliver results. */
    public Callbacks callbacks() {
        return queues.callbacks();
    }

    /** Returns the clock and alarm of all waits. */
    public Scheduler timer() {
        return runtime.timer();
    }

    /** Returns the source of the client's random choices. */
    public RandomGenerator random() {
        return runtime.to(Service.QUEUE).random();
    }

    /**
     * Begins the observation of a handler.
     *
     * @return what reports its end
     */
    public ObservedCode handling(List<LeaseKeeper> messages) {
        return runtime.to(Service.QUEUE).observer().code("handle", () -> resource(messages), () -> handled(messages));
    }

    private static List<HandledMessage> handled(List<LeaseKeeper> messages) {
        return messages.stream()
                .map(message -> new HandledMessage(message.id(), message.traceContext()))
                .toList();
    }

    private static String resource(List<LeaseKeeper> messages) {
        String first = messages.get(0).header().resource();
        return messages.size() == 1 ? first : first + " and " + (messages.size() - 1) + " more";
    }

    /** Returns the threads of blocking handlers, made when the first consumer needs them. */
    public synchronized Executor handlerThreads() {
        HandlerThreads known = threads;
        if (known == null) {
            known = HandlerThreads.of(account);
            threads = known;
        }
        return known;
    }

    /**
     * Starts a consumer.
     *
     * @param settings how it works
     * @param channel its queue
     * @param envelopes how envelopes are written, or {@code null} if messages have none
     * @param bodies reads the body of a message from its blob
     * @param handling runs its handler
     * @return the consumer, until it is stopped a part of the client
     * @throws ClosedException if the client is closed or closing
     */
    public ConsumerEngine start(
            ConsumerSettings settings,
            MessageChannel channel,
            @Nullable EnvelopeFormat envelopes,
            Function<MessageView, Mono<MessageView>> bodies,
            MessageHandling handling) {
        ConsumerEngine engine = new ConsumerEngine(
                settings,
                handling,
                new ConsumerEnvironment(
                        keepers(channel, envelopes, settings.lease(), settings.maxHold()),
                        histories,
                        bodies,
                        (message, event, end) -> runtime.delivered(account -> new ConsumerEvent(
                                account,
                                message.queue(),
                                message.id(),
                                event,
                                end.result(),
                                end.error(),
                                end.reason(),
                                end.failure()))));
        engine.whenStopped(() -> open.remove(engine));
        open(engine);
        engine.start();
        return engine;
    }

    /** A consumer registered before {@code close()} is stopped by it. */
    private synchronized void open(ConsumerEngine engine) {
        if (closed) {
            throw new ClosedException("this Stowline is closed");
        }
        if (open.stream().anyMatch(other -> other.queue().equals(engine.queue()))) {
            LOG.info(
                    "another consumer of {} starts in this client: each of them gets a part of the messages",
                    engine.queue());
        }
        open.add(engine);
    }

    private synchronized Set<ConsumerEngine> lastOnes() {
        closed = true;
        return Set.copyOf(open);
    }

    /**
     * Holds a message for the application: renews its lease from now on.
     *
     * @param poison where it goes if it is poison
     * @param envelopes how envelopes are written, or {@code null} if messages have none
     * @param lease the time of each renewal
     * @throws ClosedException if the client is closed
     */
    public LeaseKeeper hold(
            QueueOperations queue,
            QueueOperations poison,
            @Nullable EnvelopeFormat envelopes,
            DeliveredMessage message,
            Duration lease) {
        LeaseKeeper keeper = new LeaseKeeper(
                keepers(new QueueChannel(queue, poison, timer()), envelopes, lease, MAX_HOLD), new Holder(), message);
        hold(keeper);
        keeper.beginLate();
        return keeper;
    }

    private KeeperEnvironment keepers(
            MessageChannel channel, @Nullable EnvelopeFormat envelopes, Duration lease, Duration maxHold) {
        return new KeeperEnvironment(
                channel,
                envelopes,
                new SerialExecutor(runtime.to(Service.QUEUE).observer()::detached),
                timer(),
                random(),
                callbacks()::run,
                lease,
                maxHold);
    }

    private synchronized void hold(LeaseKeeper keeper) {
        if (ended) {
            throw new ClosedException("this Stowline is closed");
        }
        leases.add(keeper);
    }

    /** A watcher that forgets a message that the application held once it has ended. */
    private final class Holder implements LeaseWatcher {

        @Override
        public void unstartedTooLong(LeaseKeeper keeper) {
            throw new IllegalStateException("a held message is renewed from the beginning");
        }

        @Override
        public void lost(LeaseKeeper keeper, String why) {
            leases.remove(keeper);
        }

        @Override
        public void copied(LeaseKeeper keeper, String reason, @Nullable Throwable failure) {}

        @Override
        public void ended(LeaseKeeper keeper, LeaseEnding ending, @Nullable Throwable error) {
            leases.remove(keeper);
        }

        @Override
        public Duration returnDelay(LeaseKeeper keeper) {
            return Duration.ZERO;
        }

        @Override
        public int failures(LeaseKeeper keeper) {
            MessageEnvelope envelope = keeper.envelope();
            return envelope == null ? 0 : envelope.failures();
        }

        @Override
        public long releases(LeaseKeeper keeper) {
            MessageEnvelope envelope = keeper.envelope();
            return envelope == null ? 0 : envelope.releases();
        }
    }

    /** Returns why this thread cannot wait for the closing of the client, or {@code null} if it can. */
    public @Nullable String closeRefusal() {
        if (ListenerCalls.isInListener()) {
            return "a listener cannot wait for the end of its client, which may wait for it";
        }
        if (open.stream().anyMatch(consumer -> consumer.stopRefusal() != null)) {
            return "a handler of a queue consumer cannot wait for the end of its client, which waits for the handler";
        }
        return AwaitedCode.isOf(operations())
                ? "code that an operation calls, such as a filter, a stream or a progress listener, cannot wait for the"
                        + " end of its client, which waits for the operation"
                : null;
    }

    /**
     * Returns the code that closing would wait for, if what is subscribed to with this context is a part of it.
     *
     * @return a name of the code, or {@code null}
     */
    public @Nullable String awaitedIn(ContextView context) {
        if (open.stream().anyMatch(consumer -> consumer.isInHandler(context))) {
            return "a handler of a queue consumer";
        }
        return operations().holds(context) ? "a source of an operation" : null;
    }

    private InFlightRegistry operations() {
        return runtime.to(Service.QUEUE).observer().inFlight();
    }

    /** Wakes the consumers of a queue that got a message visible at once. */
    public void sent(String queue) {
        open.forEach(consumer -> consumer.wake(queue));
    }

    /**
     * Stops all consumers, and leaves the messages that the application holds to their leases.
     *
     * @param atMost the time for all of it; a consumer with a shorter time to stop has that
     */
    public Mono<Void> close(Duration atMost) {
        return Flux.defer(() -> Flux.fromIterable(lastOnes()))
                .flatMap(
                        consumer -> consumer.stop(shorter(consumer.settings().stopTimeout(), atMost)),
                        Integer.MAX_VALUE)
                .then(Mono.fromRunnable(this::end));
    }

    private synchronized void end() {
        ended = true;
        leases.forEach(keeper -> keeper.leave("its client was closed"));
        if (threads != null) {
            threads.shutdown();
        }
    }

    /** The part that some consumers have in the client's figures. */
    private final class Gauges implements ConsumerGauges.GaugeSource {

        private final Predicate<ConsumerEngine> counted;

        Gauges(Predicate<ConsumerEngine> counted) {
            this.counted = counted;
        }

        @Override
        public long running() {
            return consumers().filter(ConsumerEngine::isRunning).count();
        }

        @Override
        public long poisoned() {
            return sum(counters -> counters.of(ConsumerEvent.Result.POISONED));
        }

        @Override
        public long handlersRunning() {
            return sum(ConsumerCounters::running);
        }

        @Override
        public long messagesInHand() {
            return sum(ConsumerCounters::inHand) + leases.size();
        }

        @Override
        public long backlog() {
            return sum(ConsumerCounters::backlog);
        }

        private long sum(ToLongFunction<ConsumerCounters> count) {
            return consumers().map(ConsumerEngine::counters).mapToLong(count).sum();
        }

        @Override
        public Duration pollAge() {
            return longest(consumers().filter(ConsumerEngine::isRunning).map(consumer -> consumer.counters()
                    .pollAge()));
        }

        @Override
        public Duration oldestMessageAge() {
            return longest(consumers().map(consumer -> consumer.counters().oldestAge()));
        }

        private Stream<ConsumerEngine> consumers() {
            return open.stream().filter(counted);
        }

        private Duration longest(Stream<Duration> times) {
            return times.max(Duration::compareTo).orElse(Duration.ZERO);
        }
    }
}

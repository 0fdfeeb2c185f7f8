package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.ConsumerCounters.StopCounts;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The loop of a queue consumer: polls, starts handlers and stops. All its steps run in one serial executor. Thread-safe.
 */
public final class ConsumerEngine implements HandlerRun.Owner, MessagesInHand.Owner, QueuePoller.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);
    private static final Duration POLL_GRACE = Duration.ofSeconds(2);

    /** A deletion takes no slot, but this many of them hold back new handlers. */
    private static final int LEAST_ENDING = 32;

    /** A message that was hidden for whole seconds is visible this much later at the latest. */
    private static final Duration VISIBLE_MARGIN = Duration.ofMillis(50);

    private enum State {
        RUNNING,
        PAUSED,
        STOPPING,
        STOPPED
    }

    private final ConsumerSettings settings;
    private final MessageChannel channel;
    private final MessageHandling handling;
    private final ConsumerEnvironment environment;
    private final SerialExecutor serial = new SerialExecutor();
    private final MessagesInHand inHand;
    private final List<QueuePoller> pollers;
    private final Prefetch prefetch;
    private final ConsumerCounters counters;
    private final Disposable.Composite stopAlarms = Disposables.composite();
    private final Sinks.One<StopCounts> stopped = Sinks.one();
    private volatile Runnable whenStopped = () -> {};
    private volatile State state = State.RUNNING;
    private volatile int concurrency;
    private int running;
    private long polls;
    private boolean refusing;
    private StopCounts beforeStop = new StopCounts(0, 0, 0, 0);

    /**
     * A consumer that does nothing yet.
     *
     * @param settings how it works
     * @param channel its queue
     * @param handling runs its handler
     * @param environment what it stands on
     */
    public ConsumerEngine(
            ConsumerSettings settings,
            MessageChannel channel,
            MessageHandling handling,
            ConsumerEnvironment environment) {
        this.settings = settings;
        this.channel = channel;
        this.handling = handling;
        this.environment = environment;
        this.concurrency = settings.concurrency();
        this.counters = new ConsumerCounters(environment.timer());
        this.pollers = channel.parts().stream().map(this::poller).toList();
        this.prefetch = new Prefetch(settings.lease());
        KeeperEnvironment keepers = new KeeperEnvironment(
                channel,
                environment.envelopes(),
                serial,
                environment.timer(),
                environment.random(),
                environment.callbacks(),
                settings.lease(),
                settings.maxHold());
        this.inHand = new MessagesInHand(keepers, settings, environment.bodies(), this);
    }

    private QueuePoller poller(MessageChannel queue) {
        return new QueuePoller(
                queue,
                this,
                serial,
                environment.timer(),
                new PollPacer(settings.leastPollDelay(), settings.mostPollDelay(), environment.random()),
                counters.queue());
    }

    /** Runs this once the consumer is stopped, before its stops report. */
    void whenStopped(Runnable task) {
        whenStopped = task;
    }

    /** Begins to poll. */
    public void start() {
        serial.execute(this::advance);
    }

    /** The name of the queue, or the one that its queues share. */
    public String queue() {
        return channel.queue();
    }

    /** How it works. */
    public ConsumerSettings settings() {
        return settings;
    }

    /** What it has done and holds. */
    public ConsumerCounters counters() {
        return counters;
    }

    /** How many handlers run at a time at most. */
    public int concurrency() {
        return concurrency;
    }

    /** Changes the number of handlers; those that run beyond it run to their end. */
    public void concurrency(int handlers) {
        serial.execute(() -> {
            concurrency = handlers;
            advance();
        });
    }

    /** Whether it starts no handlers at present, although it is not stopped. */
    public boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Whether it polls and starts handlers. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Stops polling and starting handlers, and gives back what no handler has. */
    public void pause() {
        serial.execute(() -> {
            if (state == State.RUNNING) {
                state = State.PAUSED;
                inHand.releaseWaiting();
                pollers.forEach(QueuePoller::awaitCapacity);
                advance();
            }
        });
    }

    /** Polls again, at once. */
    public void resume() {
        serial.execute(() -> {
            if (state == State.PAUSED) {
                state = State.RUNNING;
                wakeNow();
            }
        });
    }

    /** A message has come into this queue, or becomes visible there: polls it at once, if it is one of the consumer's. */
    public void wake(String queue) {
        for (QueuePoller poller : pollers) {
            if (poller.queue().equals(queue)) {
                serial.execute(() -> {
                    poller.wake();
                    advance();
                });
            }
        }
    }

    private void wakeNow() {
        pollers.forEach(QueuePoller::wake);
        advance();
    }

    /**
     * Stops: no more polls, what no handler has is given back, handlers have this much time. Later calls share the stop and can shorten it.
     *
     * @return what became of the messages in hand
     */
    public Mono<StopCounts> stop(Duration atMost) {
        return Mono.defer(() -> {
            serial.execute(() -> stopNow(atMost));
            return stopped.asMono();
        });
    }

    private void stopNow(Duration atMost) {
        if (state == State.STOPPED) {
            return;
        }
        after(atMost, this::abandon);
        if (state != State.STOPPING) {
            state = State.STOPPING;
            beforeStop = StopCounts.of(counters);
            pollers.forEach(QueuePoller::stop);
            inHand.releaseWaiting();
            after(POLL_GRACE, this::cancelPolls);
        }
        advance();
    }

    /** A timer that has stopped already leaves a stop no time. */
    private void after(Duration time, Runnable step) {
        try {
            stopAlarms.add(environment
                    .timer()
                    .schedule(() -> serial.execute(step), Math.max(1, time.toNanos()), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException e) {
            serial.execute(step);
        }
    }

    private void abandon() {
        if (state == State.STOPPING) {
            inHand.abandon("its consumer was stopped");
            cancelPolls();
            // Behind the steps that abandon the messages.
            serial.execute(this::stopped);
        }
    }

    private void cancelPolls() {
        pollers.forEach(QueuePoller::cancel);
        advance();
    }

    private void stopped() {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            stopAlarms.dispose();
            publish();
            whenStopped.run();
            stopped.tryEmitValue(StopCounts.of(counters).since(beforeStop).abandoning(inHand.unended()));
        }
    }

    /** Starts what can be started: handlers, the next poll, the end of a stop. */
    @Override
    public void advance() {
        try {
            if (state == State.RUNNING) {
                startHandlers();
                pollIfDue();
            } else if (state == State.STOPPING
                    && inHand.size() == 0
                    && pollers.stream().noneMatch(QueuePoller::isPolling)) {
                stopped();
            }
        } finally {
            publish();
        }
    }

    private void publish() {
        counters.holds(running, inHand.size());
    }

    private boolean isHeldBack() {
        return inHand.ending() >= Math.max(LEAST_ENDING, 2 * slots());
    }

    private void startHandlers() {
        if (!isHeldBack()) {
            inHand.readBodies(free(), slots());
        }
        while (running < concurrency && inHand.isReady() && !isHeldBack()) {
            List<InHandMessage> next = inHand.take(settings.batchSize());
            if (next.isEmpty()) {
                return;
            }
            HandlerRun run = new HandlerRun(next, this, serial, environment.timer(), settings.handlerTimeout());
            running++;
            inHand.handle(run);
            run.start(handling);
        }
    }

    /** The queue that was polled least recently comes first; a full receive for one is worth more than a part for each. */
    private void pollIfDue() {
        if (isHeldBack() || wanted() < worth()) {
            pollers.forEach(QueuePoller::awaitCapacity);
            return;
        }
        List<QueuePoller> due = pollers.stream()
                .filter(QueuePoller::isDue)
                .sorted(Comparator.comparingLong(QueuePoller::turn))
                .toList();
        int shares = due.size();
        for (QueuePoller poller : due) {
            int wanted = wanted();
            int worth = worth();
            if (wanted < worth) {
                break;
            }
            int share = Math.max(worth, (wanted + shares - 1) / shares);
            poll(poller, Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, Math.min(wanted, share)));
            shares--;
        }
        pollers.forEach(wanted() >= worth() ? QueuePoller::awaitDue : QueuePoller::awaitCapacity);
    }

    private void poll(QueuePoller poller, int max) {
        // A queue whose polls hang takes one slot at most from the others.
        boolean cautious = poller.isFailing() && pollers.size() > 1;
        poller.poll(cautious ? 1 : max, settings.lease(), ++polls);
        if (pollers.size() > 1) {
            poller.awaitSlow();
        }
    }

    /** How many messages handlers have at a time at most. */
    private int slots() {
        return concurrency * settings.batchSize();
    }

    private int free() {
        return Math.max(0, concurrency - running) * settings.batchSize();
    }

    private int ahead() {
        return prefetch.limit(slots());
    }

    /** How many more messages are to be received: what polls in flight may bring is left out, unless they are slow. */
    private int wanted() {
        int asked = 0;
        int late = 0;
        for (QueuePoller poller : pollers) {
            asked += poller.asked();
            late += poller.isSlow() ? poller.asked() : 0;
        }
        int lent = Math.min(late, slots());
        return free() + ahead() - inHand.waiting() - asked + lent;
    }

    /** How many messages a poll is made for. */
    private int worth() {
        boolean idle = inHand.waiting() == 0 && free() > 0;
        return idle ? 1 : Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, Math.max(1, ahead() / 2));
    }

    @Override
    public boolean isRefusing() {
        return refusing;
    }

    @Override
    public void received(List<DeliveredMessage> messages) {
        try {
            messages.forEach(message -> inHand.arrive(message, state == State.RUNNING));
        } finally {
            advance();
        }
    }

    @Override
    public void began() {
        if (refusing) {
            refusing = false;
            wakeNow();
        }
    }

    @Override
    public void timedOut(HandlerRun run, TimeoutException timeout) {
        inHand.fail(run, timeout);
    }

    @Override
    public void returned(HandlerRun run, @Nullable Throwable error) {
        running--;
        prefetch.measured(run.age());
        try {
            inHand.handled(run, error);
        } finally {
            advance();
        }
    }

    @Override
    public void refused(HandlerRun run, Throwable error) {
        if (refusing) {
            LOG.debug("the executor of the consumer of {} refuses handlers again", channel.queue(), error);
        } else {
            LOG.warn(
                    "the executor of the consumer of {} refused a handler; it is tried again, more slowly",
                    channel.queue(),
                    UserCode.printable(error));
            pollers.forEach(QueuePoller::slowDown);
        }
        refusing = true;
        running--;
        try {
            inHand.refused(run);
        } finally {
            advance();
        }
    }

    @Override
    public void changed() {
        advance();
    }

    @Override
    public void stalled() {
        prefetch.reset();
    }

    @Override
    public void visibleIn(String queue, Duration delay) {
        Duration shown =
                Duration.ofSeconds(delay.plusNanos(999_999_999).toSeconds()).plus(VISIBLE_MARGIN);
        if (shown.compareTo(settings.mostPollDelay()) < 0) {
            environment.timer().schedule(() -> wake(queue), shown.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void result(LeaseKeeper keeper, Result result, @Nullable Throwable error) {
        counters.count(result);
        try {
            MessageEnvelope envelope = keeper.envelope();
            environment.listener().ended(keeper.header(), envelope == null ? null : envelope.id(), result, error);
        } catch (RuntimeException | Error e) {
            LOG.error("the result of {} was not reported", keeper.header().resource(), UserCode.printable(e));
        }
    }
}

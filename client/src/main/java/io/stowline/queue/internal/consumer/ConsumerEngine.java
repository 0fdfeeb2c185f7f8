package io.stowline.queue.internal.consumer;

import io.stowline.queue.QueueConsumer.StopReport;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.ConsumerEnvironment.DeliveryEnd;
import io.stowline.queue.internal.consumer.channel.MessageChannel;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.polling.QueuePollers;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * The loop of a queue consumer: polls, starts handlers and stops (decision 86). All its steps run in one serial executor. Thread-safe.
 */
public final class ConsumerEngine implements QueuePollers.PollersOwner {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);
    private static final Duration POLL_GRACE = Duration.ofSeconds(2);

    /** A deletion takes no slot, but this many of them hold back new handlers. */
    private static final int MIN_ENDING = 32;

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
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final MessagesInHand inHand;
    private final QueuePollers pollers;
    private final ConsumerCounters counters;
    private final ConsumerStop stop;
    private volatile Runnable whenStopped = () -> {};
    private volatile State state = State.RUNNING;
    private volatile int concurrency;
    private int running;
    private boolean refusing;

    /**
     * A consumer that does nothing yet.
     *
     * @param settings how it works
     * @param handling runs its handler
     * @param environment what it stands on
     */
    public ConsumerEngine(ConsumerSettings settings, MessageHandling handling, ConsumerEnvironment environment) {
        KeeperEnvironment keepers = environment.keepers();
        this.settings = settings;
        this.channel = keepers.channel();
        this.serial = keepers.serial();
        this.timer = keepers.timer();
        this.handling = handling;
        this.environment = environment;
        this.concurrency = settings.concurrency();
        this.counters = new ConsumerCounters(timer);
        this.stop = new ConsumerStop(channel.queue(), serial, timer, counters);
        this.pollers = new QueuePollers(
                channel.parts(),
                this,
                serial,
                timer,
                keepers.random(),
                new QueuePollers.Pace(settings.lease(), settings.minPollDelay(), settings.maxPollDelay()),
                counters::queue);
        this.inHand = new MessagesInHand(keepers, settings, environment.histories(), environment.bodies(), this);
    }

    /** Runs this once the consumer is stopped, before its stops report. */
    void whenStopped(Runnable task) {
        whenStopped = task;
    }

    /** Begins to poll. */
    public void start() {
        serial.execute(this::advance);
    }

    /** Returns the name of the queue, or the common name of its shards. */
    public String queue() {
        return channel.queue();
    }

    /** Returns its settings. */
    public ConsumerSettings settings() {
        return settings;
    }

    /** Returns its counters. */
    public ConsumerCounters counters() {
        return counters;
    }

    /** Returns the most handlers that run at a time. */
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

    /** Returns whether it starts no handlers at present, although it is not stopped. */
    public boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Returns why this thread cannot wait for the stop, which would wait for it; or {@code null} if it can. */
    public @Nullable String stopRefusal() {
        return stop.refusal(handling);
    }

    /** Returns whether a subscription with this context is a part of a handler, which a stop would wait for. */
    public boolean isInHandler(ContextView context) {
        return handling.isInHandler(context);
    }

    /** Returns whether it polls and starts handlers. */
    public boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Stops polling and starting handlers, and gives back what no handler has. */
    public void pause() {
        serial.execute(() -> {
            if (state == State.RUNNING) {
                state = State.PAUSED;
                inHand.releaseWaiting();
                pollers.awaitCapacity();
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

    /** Polls this queue at once, if it is one of the consumer's: a message has come, or becomes visible. */
    public void wake(String queue) {
        pollers.wake(queue);
    }

    private void wakeNow() {
        pollers.wakeAll();
        advance();
    }

    /**
     * Stops: no more polls, what no handler has is given back, handlers have this much time. Later calls share the stop and can shorten it.
     *
     * @return what became of the messages in hand
     */
    public Mono<StopReport> stop(Duration atMost) {
        return Mono.defer(() -> {
            serial.execute(() -> stopNow(atMost));
            return stop.report();
        });
    }

    private void stopNow(Duration atMost) {
        if (state == State.STOPPED) {
            return;
        }
        stop.after(atMost, this::abandon);
        if (state != State.STOPPING) {
            state = State.STOPPING;
            stop.begin();
            pollers.stop();
            inHand.releaseWaiting();
            stop.after(POLL_GRACE, this::cancelPolls);
        }
        advance();
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
        pollers.cancel();
        advance();
    }

    private void stopped() {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            stop.cancelAlarms();
            publish();
            whenStopped.run();
            stop.end(inHand.unended());
        }
    }

    /** Starts what can be started: handlers, the next poll, the end of a stop. */
    @Override
    public void advance() {
        try {
            if (state == State.RUNNING) {
                startHandlers();
                pollIfDue();
            } else if (state == State.STOPPING && inHand.size() == 0 && !pollers.isPolling()) {
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
        return inHand.ending() >= Math.max(MIN_ENDING, 2 * slots());
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
            HandlerRun run = new HandlerRun(next, this, serial, timer, settings.handlerTimeout());
            running++;
            inHand.handle(run);
            run.start(handling);
        }
    }

    private void pollIfDue() {
        if (isHeldBack()) {
            pollers.awaitCapacity();
        } else {
            pollers.pollIfDue(new QueuePollers.Demand(slots(), free(), inHand.waiting()));
        }
    }

    /** The most messages that handlers have at a time. */
    private int slots() {
        return concurrency * settings.batchSize();
    }

    private int free() {
        return Math.max(0, concurrency - running) * settings.batchSize();
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

    /** Takes note that a handler has begun. */
    void began() {
        if (refusing) {
            refusing = false;
            wakeNow();
        }
    }

    /** Fails the messages of a handler that has used up its time. */
    void timedOut(HandlerRun run, TimeoutException timeout) {
        inHand.fail(run, timeout);
    }

    /** Takes the slot of a handler back. */
    void returned(HandlerRun run, @Nullable Throwable error) {
        running--;
        pollers.handled(run.age());
        try {
            inHand.handled(run, error);
        } finally {
            advance();
        }
    }

    /** Takes the slot and the messages of a handler back that was not started. */
    void refused(HandlerRun run, Throwable error) {
        if (refusing) {
            LOG.debug("the executor of the consumer of {} refuses handlers again", channel.queue(), error);
        } else {
            LOG.warn(
                    "the executor of the consumer of {} refused a handler; it is tried again, more slowly",
                    channel.queue(),
                    UserCode.printable(error));
            pollers.slowDown();
        }
        refusing = true;
        running--;
        try {
            inHand.refused(run);
        } finally {
            advance();
        }
    }

    /** Takes note that messages have waited for a handler for half of their lease. */
    void stalled() {
        pollers.stalled();
    }

    /** Polls a queue when a message is visible again there after this time. */
    void visibleIn(String queue, Duration delay) {
        Duration shown =
                Duration.ofSeconds(delay.plusNanos(999_999_999).toSeconds()).plus(VISIBLE_MARGIN);
        if (shown.compareTo(settings.maxPollDelay()) < 0) {
            timer.schedule(() -> wake(queue), shown.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Takes the end of a delivery, for counters and listeners. */
    void result(LeaseKeeper keeper, DeliveryEnd end) {
        counters.count(end.result());
        try {
            MessageEnvelope envelope = keeper.envelope();
            environment.listener().ended(keeper.header(), envelope == null ? null : envelope.id(), end);
        } catch (Throwable e) {
            LOG.error("the result of {} was not reported", keeper.header().resource(), UserCode.printable(e));
        }
    }
}

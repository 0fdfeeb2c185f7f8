package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.time.Instant;
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
public final class ConsumerEngine implements HandlerRun.Owner, MessagesInHand.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);
    private static final Duration POLL_GRACE = Duration.ofSeconds(2);
    private static final Duration BETWEEN_COUNTS = Duration.ofMinutes(1);

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
    private final PollPacer pacer;
    private final Prefetch prefetch;
    private final ConsumerCounters counters;
    private final Disposable.Swap pollAlarm = Disposables.swap();
    private final Disposable.Composite stopAlarms = Disposables.composite();
    private final Sinks.One<StopCounts> stopped = Sinks.one();
    private volatile Runnable whenStopped = () -> {};
    private volatile State state = State.RUNNING;
    private volatile int concurrency;
    private int running;
    private @Nullable Disposable poll;
    private boolean woken;
    private Stopwatch sincePoll;
    private Duration pollDelay = Duration.ZERO;
    private boolean failing;
    private boolean refusing;
    private boolean busy;
    private @Nullable Stopwatch sinceCount;
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
        this.pacer = new PollPacer(settings.leastPollDelay(), settings.mostPollDelay(), environment.random());
        this.prefetch = new Prefetch(settings.lease());
        this.sincePoll = Stopwatch.start(environment.timer());
        KeeperEnvironment keepers = new KeeperEnvironment(
                channel,
                serial,
                environment.timer(),
                environment.random(),
                environment.callbacks(),
                settings.lease(),
                settings.maxHold());
        this.inHand = new MessagesInHand(keepers, settings, this);
    }

    /** Runs this once the consumer is stopped, before its stops report. */
    void whenStopped(Runnable task) {
        whenStopped = task;
    }

    /** Begins to poll. */
    public void start() {
        serial.execute(this::advance);
    }

    /** The queue's name. */
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

    /** A message has come into the queue, or becomes visible there: polls at once. */
    public void wake() {
        serial.execute(this::wakeNow);
    }

    private void wakeNow() {
        pacer.reset();
        pollDelay = Duration.ZERO;
        woken = true;
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
            pollAlarm.dispose();
            inHand.releaseWaiting();
            after(POLL_GRACE, this::cancelPoll);
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
            cancelPoll();
            // Behind the steps that abandon the messages.
            serial.execute(this::stopped);
        }
    }

    private void cancelPoll() {
        Disposable inFlight = poll;
        if (inFlight != null) {
            poll = null;
            inFlight.dispose();
            advance();
        }
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
    private void advance() {
        try {
            if (state == State.RUNNING) {
                startHandlers();
                pollIfDue();
            } else if (state == State.STOPPING && poll == null && inHand.size() == 0) {
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
        return inHand.ending() >= Math.max(LEAST_ENDING, 2 * concurrency * settings.batchSize());
    }

    private void startHandlers() {
        while (running < concurrency && inHand.waiting() > 0 && !isHeldBack()) {
            HandlerRun run = new HandlerRun(
                    inHand.take(settings.batchSize()), this, serial, environment.timer(), settings.handlerTimeout());
            running++;
            inHand.handle(run);
            run.start(handling);
        }
    }

    private void pollIfDue() {
        int free = Math.max(0, concurrency - running) * settings.batchSize();
        int ahead = prefetch.limit(concurrency * settings.batchSize());
        int wanted = free + ahead - inHand.waiting();
        boolean idle = inHand.waiting() == 0 && free > 0;
        int worth = idle ? 1 : Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, Math.max(1, ahead / 2));
        if (poll != null || wanted < worth || isHeldBack()) {
            return;
        }
        Duration wait = pollDelay.minus(sincePoll.age());
        if (wait.isZero() || wait.isNegative()) {
            pollNow(Math.min(StorageLimits.RECEIVE_MAX_MESSAGES, wanted));
        } else {
            pollAlarm.update(environment
                    .timer()
                    .schedule(() -> serial.execute(this::advance), wait.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    private void pollNow(int max) {
        woken = false;
        Disposable.Swap inFlight = Disposables.swap();
        poll = inFlight;
        try {
            inFlight.update(channel.receive(max, settings.lease())
                    .subscribe(
                            messages -> serial.execute(() -> received(inFlight, messages)),
                            e -> serial.execute(() -> notReceived(inFlight, e))));
            countNowAndThen();
        } catch (RuntimeException | Error e) {
            serial.execute(() -> notReceived(inFlight, e));
        }
    }

    private void received(Disposable from, List<DeliveredMessage> messages) {
        if (poll == from) {
            poll = null;
        }
        failing = false;
        busy |= !messages.isEmpty();
        sincePoll = Stopwatch.start(environment.timer());
        if (messages.isEmpty()) {
            pollDelay = woken ? Duration.ZERO : pacer.afterEmpty();
        } else if (refusing) {
            pollDelay = pacer.afterFailure();
        } else {
            pacer.reset();
            pollDelay = Duration.ZERO;
        }
        try {
            counters.polled(oldestAge(messages));
            messages.forEach(message -> inHand.arrive(message, state == State.RUNNING));
        } finally {
            advance();
        }
    }

    private @Nullable Duration oldestAge(List<DeliveredMessage> messages) {
        Instant now = Instant.ofEpochMilli(environment.timer().now(TimeUnit.MILLISECONDS));
        return messages.stream()
                .map(message -> message.look().envelope().insertedAt())
                .min(Instant::compareTo)
                .map(oldest -> Duration.between(oldest, now))
                .orElse(null);
    }

    private void notReceived(Disposable from, Throwable error) {
        if (poll == from) {
            poll = null;
        }
        if (failing) {
            LOG.debug("polling {} fails again", channel.queue(), error);
        } else {
            LOG.warn("polling {} fails; it is tried again, more slowly", channel.queue(), error);
        }
        failing = true;
        sincePoll = Stopwatch.start(environment.timer());
        pollDelay = pacer.afterFailure();
        advance();
    }

    /** At most once a minute, and not while the queue is idle. */
    private void countNowAndThen() {
        Stopwatch last = sinceCount;
        if (busy && (last == null || last.age().compareTo(BETWEEN_COUNTS) >= 0)) {
            busy = false;
            sinceCount = Stopwatch.start(environment.timer());
            channel.count().subscribe(counters::backlog, e -> LOG.debug("{} cannot be counted", channel.queue(), e));
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
            pollDelay = pacer.afterFailure();
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
    public void visibleIn(Duration delay) {
        Duration shown =
                Duration.ofSeconds(delay.plusNanos(999_999_999).toSeconds()).plus(VISIBLE_MARGIN);
        if (shown.compareTo(settings.mostPollDelay()) < 0) {
            environment.timer().schedule(this::wake, shown.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void result(LeaseKeeper keeper, Result result, @Nullable Throwable error) {
        counters.count(result);
        try {
            environment.listener().ended(keeper.id(), result, error);
        } catch (RuntimeException | Error e) {
            LOG.error("the result of {} was not reported", keeper.header().resource(), UserCode.printable(e));
        }
    }
}

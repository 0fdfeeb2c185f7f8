package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.LeaseKeeper.Ending;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The messages that a consumer holds: those that wait for a handler, those that a handler has, and those that are being ended. It decides by
 * the result of a handler how a message ends. Only in the serial executor.
 */
final class MessagesInHand implements LeaseWatcher, BodyReads.Owner {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofDays(7);

    /** How long a message is hidden whose body was not read: at first, and at most after it has doubled each time. */
    private static final Duration UNREAD = Duration.ofSeconds(10);

    private static final Duration LONGEST_UNREAD = Duration.ofMinutes(5);
    private static final int MOST_DOUBLINGS = 5;

    /** Hears of the ends of messages. */
    interface Owner {

        /** Something has changed that may admit a message or end a stop. */
        void changed();

        /** Messages have waited for a handler for half of their lease. */
        void stalled();

        /** A message is visible again in this queue after this time. */
        void visibleIn(String queue, Duration delay);

        /** The end of a delivery, for counters and listeners. */
        void result(LeaseKeeper keeper, Result result, @Nullable Throwable error);
    }

    private final KeeperEnvironment environment;
    private final ConsumerSettings settings;
    private final DeliveryLedger ledger;
    private final Owner owner;
    private final Map<String, InHandMessage> all = new LinkedHashMap<>();
    private final Deque<InHandMessage> waiting = new ArrayDeque<>();
    private final BodyReads bodies;
    private final Set<String> withoutClaimCheck = new HashSet<>();
    /** The message of each send that a handler has or that is being ended; copies of it wait. */
    private final Map<String, InHandMessage> sends = new HashMap<>();

    private int handled;
    private int later;
    private boolean abandoning;

    MessagesInHand(
            KeeperEnvironment environment,
            ConsumerSettings settings,
            Function<MessageView, Mono<MessageView>> bodies,
            Owner owner) {
        this.environment = environment;
        this.settings = settings;
        this.ledger = new DeliveryLedger(settings.poisonAfter());
        this.owner = owner;
        this.bodies = new BodyReads(bodies, this, environment.serial(), environment.timer());
    }

    int size() {
        return all.size() + later;
    }

    /** How many of them have no result yet. */
    long unended() {
        return deliveries().stream().filter(message -> !message.isCounted()).count();
    }

    private List<InHandMessage> deliveries() {
        List<InHandMessage> each = new ArrayList<>();
        all.values().forEach(first -> {
            for (InHandMessage one = first; one != null; one = one.next()) {
                each.add(one);
            }
        });
        return each;
    }

    private @Nullable InHandMessage find(LeaseKeeper keeper) {
        InHandMessage one = all.get(keeper.id());
        while (one != null && one.keeper() != keeper) {
            one = one.next();
        }
        return one;
    }

    /** How many wait for a handler, but for those whose bodies take long. */
    int waiting() {
        return waiting.size() + bodies.due();
    }

    /** Whether a handler can start: it gets as many messages as it can have, unless no more are about to be there. */
    boolean isReady() {
        return !waiting.isEmpty() && (waiting.size() >= settings.batchSize() || !bodies.isQuick());
    }

    /**
     * Reads bodies from blobs for handlers to come.
     *
     * @param free how many messages handlers can have now
     * @param slots how many they can have at most
     */
    void readBodies(int free, int slots) {
        bodies.start(free, slots);
    }

    /** How many neither wait nor have a handler. */
    int ending() {
        return all.size() - waiting.size() - bodies.size() - handled;
    }

    /**
     * Takes a delivery: it waits for a handler, or is poison, or was delivered before.
     *
     * @param admitted whether handlers are started; if not, it is given back
     */
    void arrive(DeliveredMessage delivery, boolean admitted) {
        String id = delivery.look().envelope().id();
        InHandMessage known = all.get(id);
        if (known != null) {
            again(known, delivery, admitted);
            return;
        }
        InHandMessage message = new InHandMessage(new LeaseKeeper(environment, this, delivery));
        all.put(id, message);
        guarded(message, () -> {
            ledger.learn(id, message.keeper().envelope());
            message.keeper().watch();
            if (admitted) {
                admit(message);
            } else {
                release(message);
            }
        });
    }

    private void admit(InHandMessage message) {
        LeaseKeeper keeper = message.keeper();
        String poison = ledger.poison(keeper.header());
        if (isDone(keeper)) {
            drop(message);
        } else if (poison != null) {
            poison(message, poison, null);
        } else if (!message.hasBlob()) {
            waiting.add(message);
        } else if (environment.readsBodies()) {
            bodies.add(message);
        } else {
            leaveToOthers(message);
        }
    }

    /** Without a claim check all messages with blobs come here, so that one says it for all. */
    private void leaveToOthers(InHandMessage message) {
        String queue = message.keeper().header().queue();
        if (withoutClaimCheck.add(queue)) {
            LOG.warn(
                    "{} has messages whose bodies are in blobs, and this consumer has no claimCheck to read them: they are"
                            + " given back for other consumers, each time for {}",
                    queue,
                    UNREAD);
        }
        quietly(message.keeper().release(UNREAD));
    }

    @Override
    public void read(InHandMessage message) {
        waiting.addFirst(message);
        owner.changed();
    }

    /** That is no failure of the message. Each time it costs less, since the message stays hidden longer. */
    @Override
    public void unread(InHandMessage message, @Nullable Throwable why) {
        LeaseKeeper keeper = message.keeper();
        if (why != null) {
            LOG.warn(
                    "the body of {} cannot be read from its blob now; such messages are given back, and come again later",
                    keeper.header().resource(),
                    why);
        }
        int doublings = Math.min(ledger.unread(keeper.id()) - 1, MOST_DOUBLINGS);
        Duration delay = UNREAD.multipliedBy(1L << doublings);
        quietly(keeper.release(delay.compareTo(LONGEST_UNREAD) < 0 ? delay : LONGEST_UNREAD));
    }

    @Override
    public void slow() {
        owner.changed();
    }

    /** The message waits no longer. Returns whether it did. */
    private boolean stopsWaiting(InHandMessage message) {
        return waiting.remove(message) || bodies.remove(message);
    }

    /** Whether the message was handled, or another one of the same send: an earlier attempt of it had got through. */
    private boolean isDone(LeaseKeeper keeper) {
        MessageEnvelope envelope = keeper.envelope();
        return ledger.isDone(keeper.id()) || (envelope != null && ledger.isDone(envelope.id()));
    }

    /** Removes a message that is done. Its result was counted when it was done. */
    private void drop(InHandMessage message) {
        message.count();
        quietly(message.keeper().complete());
    }

    /**
     * A message in hand was delivered again. A handler that still counts on it goes on with the newer receipt. Otherwise the message was
     * given back or lost, and the newer delivery waits until its handler has returned.
     */
    private void again(InHandMessage known, DeliveredMessage delivery, boolean admitted) {
        LeaseKeeper keeper = known.keeper();
        InHandMessage next = known.next();
        if (keeper.adopt(delivery.lease())) {
            ledger.returned(keeper.id());
        } else if (next != null) {
            again(next, delivery, admitted);
        } else {
            InHandMessage last = new InHandMessage(new LeaseKeeper(environment, this, delivery));
            known.next(last);
            later++;
            last.keeper().watch();
            if (!admitted) {
                release(last);
            }
        }
    }

    /** What a step throws puts its message back: it neither stays in hand nor holds up others. */
    private void guarded(InHandMessage message, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a step for {} failed", message.keeper().header().resource(), UserCode.printable(e));
            stopsWaiting(message);
            quietly(message.keeper().release(AFTER_FAULT));
        }
    }

    /** The next messages for a handler. Of several messages of one send the others wait for the end of the first. */
    List<InHandMessage> take(int most) {
        List<InHandMessage> next = new ArrayList<>();
        List<InHandMessage> done = new ArrayList<>();
        Iterator<InHandMessage> line = waiting.iterator();
        while (next.size() < most && line.hasNext()) {
            InHandMessage message = line.next();
            MessageEnvelope envelope = message.keeper().envelope();
            if (envelope == null || sends.putIfAbsent(envelope.id(), message) == null) {
                line.remove();
                (isDone(message.keeper()) ? done : next).add(message);
            }
        }
        done.forEach(message -> guarded(message, () -> drop(message)));
        return next;
    }

    /** A handler has these messages from now on. */
    void handle(HandlerRun run) {
        for (InHandMessage message : run.messages()) {
            message.run(run);
            handled++;
            message.keeper().begin();
        }
    }

    /** No handler has these messages any more; those that have not ended end by this result. */
    void handled(HandlerRun run, @Nullable Throwable error) {
        for (InHandMessage message : run.messages()) {
            message.run(null);
            handled--;
            guarded(message, () -> end(message, error));
            forget(message);
        }
    }

    /** The messages of a handler that goes on for too long fail at once. */
    void fail(HandlerRun run, Throwable error) {
        run.messages().forEach(message -> guarded(message, () -> end(message, error)));
    }

    /** The messages of a handler that was not started are received again later. */
    void refused(HandlerRun run) {
        for (InHandMessage message : run.messages()) {
            message.run(null);
            handled--;
            guarded(message, () -> quietly(message.keeper().release(delay(1))));
            forget(message);
        }
    }

    private void end(InHandMessage message, @Nullable Throwable error) {
        LeaseKeeper keeper = message.keeper();
        if (message.isOver() || keeper.isClaimed() || !message.decide()) {
            return;
        }
        Throwable cause = keeper.failure() == null ? error : keeper.failure();
        int failures = ledger.failures(keeper.id()) + 1;
        if (cause == null) {
            quietly(keeper.complete());
        } else if (keeper.isHopeless()) {
            poison(message, "cannot be decoded", cause);
        } else if (ledger.isPoison(failures)) {
            ledger.failed(keeper.id());
            poison(message, DeliveryLedger.reason(failures), cause);
        } else {
            LOG.debug("the handling of {} failed", keeper.header().resource(), UserCode.printable(cause));
            Duration delay = delay(failures);
            quietly(keeper.retryIn(delay));
            owner.visibleIn(keeper.header().queue(), delay);
        }
    }

    private Duration delay(int failures) {
        Duration delay = settings.retryDelay().isNone()
                ? Duration.ZERO
                : settings.retryDelay().delay(failures, environment.random());
        return delay.compareTo(LONGEST_DELAY) <= 0 ? delay : LONGEST_DELAY;
    }

    private void poison(InHandMessage message, String reason, @Nullable Throwable cause) {
        LeaseKeeper keeper = message.keeper();
        LOG.warn("{} is poison: {}", keeper.header().resource(), reason, UserCode.printable(cause));
        keeper.poison(reason, cause)
                .subscribe(nothing -> {}, e -> environment.serial().execute(() -> notCopied(message, e)));
    }

    private void notCopied(InHandMessage message, Throwable error) {
        if (!message.isOver()) {
            LeaseKeeper keeper = message.keeper();
            LOG.warn(
                    "{} is not copied to the poison queue and stays",
                    keeper.header().resource(),
                    error);
            result(message, Result.POISON_FAILED, error);
            quietly(keeper.release(delay(settings.poisonAfter())));
        }
    }

    /** Gives back what no handler has, at once and in parallel. */
    void releaseWaiting() {
        List<InHandMessage> unstarted = new ArrayList<>(waiting);
        waiting.clear();
        unstarted.addAll(bodies.removeAll());
        unstarted.forEach(this::release);
        deliveries().stream().filter(this::isLater).forEach(this::release);
    }

    private boolean isLater(InHandMessage message) {
        return all.get(message.keeper().id()) != message;
    }

    private void release(InHandMessage message) {
        quietly(message.keeper().release(Duration.ZERO));
    }

    /** Leaves all messages to their leases and cancels their handlers. */
    void abandon(String why) {
        abandoning = true;
        deliveries().forEach(message -> message.keeper().abandon(why));
    }

    /** The watcher hears of failures. */
    private static void quietly(Mono<Void> work) {
        work.subscribe(nothing -> {}, e -> LOG.debug("a message was not ended as intended", e));
    }

    @Override
    public void unstartedTooLong(LeaseKeeper keeper) {
        InHandMessage message = find(keeper);
        if (message != null && stopsWaiting(message)) {
            owner.stalled();
            release(message);
        } else if (message != null && isLater(message)) {
            release(message);
        }
    }

    @Override
    public void lost(LeaseKeeper keeper, String why) {
        InHandMessage message = find(keeper);
        if (message == null) {
            return;
        }
        message.end();
        stopsWaiting(message);
        if (abandoning) {
            result(message, Result.ABANDONED, null);
        } else {
            LOG.warn("{} is lost: {}", keeper.header().resource(), why);
            result(message, Result.LOST, null);
        }
        HandlerRun run = message.run();
        if (run != null && run.messages().stream().allMatch(InHandMessage::isOver)) {
            run.cancel();
        }
        forget(message);
        owner.changed();
    }

    @Override
    public void copied(LeaseKeeper keeper) {
        ledger.done(keeper.id());
    }

    @Override
    public int failures(LeaseKeeper keeper) {
        return ledger.failures(keeper.id());
    }

    @Override
    public long releases(LeaseKeeper keeper) {
        return ledger.returns(keeper.id());
    }

    @Override
    public void ended(LeaseKeeper keeper, Ending ending, @Nullable Throwable error) {
        MessageEnvelope envelope = keeper.envelope();
        if (ending == Ending.COMPLETED && envelope != null) {
            ledger.done(envelope.id());
        }
        switch (ending) {
            case COMPLETED, POISONED -> ledger.done(keeper.id());
            case RETRIED -> ledger.failed(keeper.id());
            case RELEASED -> ledger.returned(keeper.id());
        }
        InHandMessage message = find(keeper);
        if (message != null) {
            result(message, Result.valueOf(ending.name()), error);
            message.end();
            forget(message);
        }
        owner.changed();
    }

    /** Each delivery has one result. */
    private void result(InHandMessage message, Result result, @Nullable Throwable error) {
        if (message.count()) {
            owner.result(message.keeper(), result, error);
        }
    }

    private void forget(InHandMessage message) {
        if (!message.isOver() || message.run() != null) {
            return;
        }
        String id = message.keeper().id();
        MessageEnvelope envelope = message.keeper().envelope();
        if (envelope != null) {
            sends.remove(envelope.id(), message);
        }
        InHandMessage next = message.next();
        if (all.get(id) != message) {
            unlink(message);
        } else if (next == null) {
            all.remove(id);
        } else {
            all.put(id, next);
            later--;
            if (!next.isOver() && !next.keeper().isClaimed()) {
                guarded(next, () -> admit(next));
            }
        }
    }

    private void unlink(InHandMessage message) {
        for (InHandMessage one = all.get(message.keeper().id()); one != null; one = one.next()) {
            if (one.next() == message) {
                one.next(message.next());
                later--;
            }
        }
    }
}

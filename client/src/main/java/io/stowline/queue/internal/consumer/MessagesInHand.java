package io.stowline.queue.internal.consumer;

import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher;
import io.stowline.queue.internal.consumer.lease.LeaseWatcher.LeaseEnding;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The messages that a consumer holds: those that wait for a handler, those that a handler has, and those that are being ended. Only in the
 * serial executor.
 */
final class MessagesInHand implements LeaseWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private final KeeperEnvironment environment;
    private final ConsumerSettings settings;
    private final DeliveryLedger ledger;
    private final MessageSettlement settlement;
    private final ConsumerEngine owner;
    private final DeliveryChains deliveries = new DeliveryChains();
    private final Deque<InHandMessage> waiting = new ArrayDeque<>();
    private final BodyReads bodies;
    /** The message of each send that a handler has or that is being ended; copies of it wait. */
    private final Map<String, InHandMessage> sends = new HashMap<>();

    private int handled;
    private boolean abandoning;

    MessagesInHand(
            KeeperEnvironment environment,
            ConsumerSettings settings,
            DeliveryHistories histories,
            Function<MessageView, Mono<MessageView>> bodies,
            ConsumerEngine owner) {
        this.environment = environment;
        this.settings = settings;
        this.ledger = new DeliveryLedger(histories, environment.channel().queue(), settings.poisonAfter());
        this.settlement = new MessageSettlement(environment, settings, ledger, owner);
        this.owner = owner;
        this.bodies = new BodyReads(bodies, this, environment.serial(), environment.timer());
    }

    int size() {
        return deliveries.size();
    }

    /** Returns the number of messages without a result. */
    long unended() {
        return deliveries.all().stream().filter(message -> !message.isCounted()).count();
    }

    /** Returns the number of messages that wait for a handler, but for those whose bodies take long. */
    int waiting() {
        return waiting.size() + bodies.due();
    }

    /** Returns whether a handler can start: it gets a full batch, unless no more messages are about to come. */
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

    /** Returns the number of messages that neither wait nor have a handler. */
    int ending() {
        return deliveries.messages() - waiting.size() - bodies.size() - handled;
    }

    /**
     * Takes a delivery: it waits for a handler, or is poison, or was delivered before.
     *
     * @param admitted whether handlers are started; if not, it is given back
     */
    void arrive(DeliveredMessage delivery, boolean admitted) {
        String id = delivery.view().header().id();
        InHandMessage known = deliveries.first(id);
        if (known != null) {
            again(known, delivery, admitted);
            return;
        }
        InHandMessage message = new InHandMessage(new LeaseKeeper(environment, this, delivery));
        deliveries.add(message);
        guarded(message, () -> {
            ledger.learn(id, message.keeper().envelope());
            message.keeper().watch();
            if (admitted) {
                admit(message);
            } else {
                settlement.release(message);
            }
        });
    }

    private void admit(InHandMessage message) {
        LeaseKeeper keeper = message.keeper();
        String poison = ledger.poison(keeper.header());
        if (isDone(keeper)) {
            settlement.drop(message);
        } else if (poison != null) {
            settlement.poison(message, poison, ledger.failure(keeper.id()));
        } else if (!message.hasBlob()) {
            waiting.add(message);
        } else if (environment.readsBodies()) {
            bodies.add(message);
        } else {
            settlement.leaveToOthers(message);
        }
    }

    /** Takes a message whose body has come, or certainly never will. */
    void read(InHandMessage message) {
        waiting.addFirst(message);
        owner.advance();
    }

    /**
     * Takes a message without its body, which is to be given back.
     *
     * @param why why its read failed, or {@code null} if it was not tried
     */
    void unread(InHandMessage message, @Nullable Throwable why) {
        settlement.releaseUnread(message, why);
    }

    /** Lets the consumer go on after a read has given its slot back. */
    void changed() {
        owner.advance();
    }

    private boolean stopsWaiting(InHandMessage message) {
        return waiting.remove(message) || bodies.remove(message);
    }

    /** True if the message was handled, or another one of the same send: an earlier attempt of it had got through. */
    private boolean isDone(LeaseKeeper keeper) {
        MessageEnvelope envelope = keeper.envelope();
        return ledger.isDone(keeper.id()) || (envelope != null && ledger.isDone(envelope.id()));
    }

    /**
     * A handler that still counts on a redelivered message continues with the newer receipt. Otherwise the message was
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
            deliveries.append(known, last);
            last.keeper().watch();
            if (!admitted) {
                settlement.release(last);
            }
        }
    }

    /** An exception of a step puts its message back: it neither stays in hand nor holds up others. */
    private void guarded(InHandMessage message, Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.error("a step for {} failed", message.keeper().header().resource(), UserCode.printable(e));
            stopsWaiting(message);
            settlement.releaseAfterFault(message);
        }
    }

    /** Returns the next messages for a handler. */
    List<InHandMessage> take(int max) {
        List<InHandMessage> next = new ArrayList<>();
        List<InHandMessage> done = new ArrayList<>();
        Iterator<InHandMessage> line = waiting.iterator();
        while (next.size() < max && line.hasNext()) {
            InHandMessage message = line.next();
            MessageEnvelope envelope = message.keeper().envelope();
            if (envelope == null || sends.putIfAbsent(envelope.id(), message) == null) {
                line.remove();
                (isDone(message.keeper()) ? done : next).add(message);
            }
        }
        done.forEach(message -> guarded(message, () -> settlement.drop(message)));
        return next;
    }

    /** Gives these messages to a handler. */
    void handle(HandlerRun run) {
        for (InHandMessage message : run.messages()) {
            message.run(run);
            handled++;
            message.keeper().begin();
        }
    }

    /** Takes the messages back from a handler; those that have not ended end by this result. */
    void handled(HandlerRun run, @Nullable Throwable error) {
        for (InHandMessage message : run.messages()) {
            message.run(null);
            handled--;
            guarded(message, () -> settlement.settle(message, error));
            forget(message);
        }
    }

    /** Fails the messages of an overdue handler at once. */
    void fail(HandlerRun run, Throwable error) {
        run.messages().forEach(message -> guarded(message, () -> settlement.settle(message, error)));
    }

    /** Puts the messages of a handler that was not started back, to be received again later. */
    void refused(HandlerRun run) {
        for (InHandMessage message : run.messages()) {
            message.run(null);
            handled--;
            guarded(message, () -> settlement.releaseUnstarted(message));
            forget(message);
        }
    }

    /** Gives back what no handler has, at once and in parallel. */
    void releaseWaiting() {
        List<InHandMessage> unstarted = new ArrayList<>(waiting);
        waiting.clear();
        unstarted.addAll(bodies.removeAll());
        unstarted.forEach(settlement::release);
        deliveries.all().stream().filter(deliveries::isLater).forEach(settlement::release);
    }

    /** Leaves all messages to their leases and cancels their handlers. */
    void abandon(String why) {
        abandoning = true;
        deliveries.all().forEach(message -> message.keeper().abandon(why));
    }

    @Override
    public void unstartedTooLong(LeaseKeeper keeper) {
        InHandMessage message = deliveries.find(keeper);
        if (message != null && stopsWaiting(message)) {
            owner.stalled();
            settlement.release(message);
        } else if (message != null && deliveries.isLater(message)) {
            settlement.release(message);
        }
    }

    @Override
    public void lost(LeaseKeeper keeper, String why) {
        InHandMessage message = deliveries.find(keeper);
        if (message == null) {
            return;
        }
        message.end();
        stopsWaiting(message);
        if (abandoning) {
            settlement.result(message, Result.ABANDONED, null);
        } else {
            LOG.warn("{} is lost: {}", keeper.header().resource(), why);
            settlement.result(message, Result.LOST, null);
        }
        HandlerRun run = message.run();
        if (run != null && run.messages().stream().allMatch(InHandMessage::isOver)) {
            run.cancel();
        }
        forget(message);
        owner.advance();
    }

    @Override
    public void copied(LeaseKeeper keeper, String reason, @Nullable Throwable failure) {
        ledger.done(keeper.id());
        InHandMessage message = deliveries.find(keeper);
        if (message != null) {
            message.poison(reason, failure);
        }
    }

    @Override
    public Duration returnDelay(LeaseKeeper keeper) {
        return settlement.returnDelay(keeper);
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
    public void ended(LeaseKeeper keeper, LeaseEnding ending, @Nullable Throwable error) {
        MessageEnvelope envelope = keeper.envelope();
        if (ending == LeaseEnding.COMPLETED && envelope != null) {
            ledger.done(envelope.id());
        }
        switch (ending) {
            case COMPLETED, POISONED -> ledger.done(keeper.id());
            case RETRIED -> ledger.failed(keeper.id());
            case RELEASED -> ledger.returned(keeper.id());
        }
        InHandMessage message = deliveries.find(keeper);
        if (message != null) {
            settlement.result(message, Result.valueOf(ending.name()), error);
            message.end();
            forget(message);
        }
        owner.advance();
    }

    private void forget(InHandMessage message) {
        if (!message.isOver() || message.run() != null) {
            return;
        }
        MessageEnvelope envelope = message.keeper().envelope();
        if (envelope != null) {
            sends.remove(envelope.id(), message);
        }
        InHandMessage next = deliveries.remove(message);
        if (next != null && !next.isOver() && !next.keeper().isClaimed()) {
            guarded(next, () -> admit(next));
        }
    }
}

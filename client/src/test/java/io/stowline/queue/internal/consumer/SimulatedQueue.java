package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.poison.PoisonNote;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * A queue that keeps the service's rules in virtual time: messages are hidden for their lease, each receive and each update gives a new
 * receipt and voids the former one, and each receive counts. A message may be shown early by as much as the skew says.
 */
final class SimulatedQueue {

    static final String NAME = "orders";

    private static final Instant NEVER = Instant.parse("9999-12-31T23:59:59Z");

    private final Scheduler clock;
    private final String name;
    private final String ids;
    private final Map<String, Stored> stored = new LinkedHashMap<>();
    private final List<String> poison = new ArrayList<>();
    private LongSupplier skewMillis = () -> 0;
    private Duration ahead = Duration.ZERO;
    private long receipts;
    private long sent;
    private int receives;

    private static final class Stored {
        private final String id;
        private String body;
        private final Instant insertedAt;
        private long dequeueCount;
        private long visibleAt;
        private String receipt = "";

        Stored(String id, String body, Instant insertedAt, Duration ahead) {
            this.id = id;
            this.body = body;
            this.insertedAt = insertedAt.plus(ahead);
            this.visibleAt = insertedAt.toEpochMilli();
        }
    }

    SimulatedQueue(Scheduler clock) {
        this(clock, NAME, "m");
    }

    /** A queue beside others: its ids begin with the text that is given. */
    SimulatedQueue(Scheduler clock, String name, String ids) {
        this.clock = clock;
        this.name = name;
        this.ids = ids;
    }

    void skew(LongSupplier millis) {
        skewMillis = millis;
    }

    /** The service's clock is ahead of that of its clients by this. */
    void ahead(Duration time) {
        ahead = time;
    }

    private long now() {
        return clock.now(TimeUnit.MILLISECONDS);
    }

    String name() {
        return name;
    }

    /** Puts a message, visible at once. Gives its id. */
    String send(String body) {
        String id = ids + ++sent;
        stored.put(id, new Stored(id, body, Instant.ofEpochMilli(now()), ahead));
        return id;
    }

    /** Makes it look as if the message had been received so often. */
    void received(String id, long times) {
        stored.get(id).dequeueCount = times;
    }

    List<DeliveredMessage> receive(int max, Duration lease, Stopwatch requested) {
        receives++;
        List<DeliveredMessage> delivered = new ArrayList<>();
        for (Stored message : stored.values()) {
            if (delivered.size() < max && message.visibleAt <= now()) {
                message.dequeueCount++;
                hide(message, lease);
                delivered.add(new DeliveredMessage(
                        new MessageView(
                                new MessageHeader(name, message.id, message.dequeueCount, message.insertedAt, NEVER),
                                message.body),
                        receipt(message, lease, requested)));
            }
        }
        return delivered;
    }

    private void hide(Stored message, Duration lease) {
        message.receipt = "r" + ++receipts;
        long early = lease.isZero() ? 0 : skewMillis.getAsLong();
        message.visibleAt = now() + lease.toMillis() - early;
    }

    private LeaseReceipt receipt(Stored message, Duration lease, Stopwatch requested) {
        Instant visibleAt = Instant.ofEpochMilli(message.visibleAt).plus(ahead);
        return new LeaseReceipt(message.receipt, visibleAt, LeaseTimer.of(requested, lease));
    }

    /** Returns whether the receipt is the newest one of a message in the queue. */
    boolean isValid(String id, String receipt) {
        Stored message = stored.get(id);
        return message != null && message.receipt.equals(receipt);
    }

    /** Hides a message, and replaces its text unless that is {@code null}. */
    LeaseReceipt update(String id, String text, Duration lease, Stopwatch requested) {
        Stored message = stored.get(id);
        message.body = text == null ? message.body : text;
        hide(message, lease);
        return receipt(message, lease, requested);
    }

    /** The present text of a message. */
    String text(String id) {
        return stored.get(id).body;
    }

    void delete(String id) {
        stored.remove(id);
    }

    void poison(PoisonNote note) {
        poison.add(note.message().header().id());
    }

    /** The ids of the messages in the poison queue, in the order of their copies. */
    List<String> poison() {
        return poison;
    }

    /** Returns the number of receives. */
    int receives() {
        return receives;
    }

    boolean holds(String id) {
        return stored.containsKey(id);
    }

    int size() {
        return stored.size();
    }

    /** Returns the number of messages that can be received now. */
    long visible() {
        return stored.values().stream()
                .filter(message -> message.visibleAt <= now())
                .count();
    }

    boolean isVisible(String id) {
        return stored.containsKey(id) && stored.get(id).visibleAt <= now();
    }

    long dequeueCount(String id) {
        return stored.get(id).dequeueCount;
    }
}

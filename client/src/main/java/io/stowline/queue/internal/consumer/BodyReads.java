package io.stowline.queue.internal.consumer;

import io.stowline.queue.internal.MessageView;
import io.stowline.transport.internal.concurrent.SerialExecutor;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The messages that wait for their bodies, which are read from blobs before a handler has them. A read that takes longer than usual holds no
 * slot. While bodies cannot be read, a quarter of the slots try it, and the other messages are given back. Only in the serial executor.
 */
final class BodyReads {

    private static final Duration MIN_PATIENCE = Duration.ofSeconds(1);
    private static final int TIMES_THE_USUAL = 4;
    private static final int WEIGHT = 8;
    private static final int PART_THAT_TRIES = 4;

    private final Function<MessageView, Mono<MessageView>> source;
    private final MessagesInHand owner;
    private final SerialExecutor serial;
    private final Scheduler timer;
    private final Deque<InHandMessage> unread = new ArrayDeque<>();
    private final Map<InHandMessage, Read> reads = new LinkedHashMap<>();
    private int quick;
    private boolean failing;
    private Duration usual = Duration.ZERO;

    BodyReads(
            Function<MessageView, Mono<MessageView>> source,
            MessagesInHand owner,
            SerialExecutor serial,
            Scheduler timer) {
        this.source = source;
        this.owner = owner;
        this.serial = serial;
        this.timer = timer;
    }

    /** One read of a body. */
    private final class Read {
        private final InHandMessage message;
        private final Stopwatch time = Stopwatch.start(timer);
        private final Disposable.Composite work = Disposables.composite();
        private boolean holdsSlot;

        Read(InHandMessage message) {
            this.message = message;
        }

        void start() {
            if (!failing) {
                holdsSlot = true;
                quick++;
                work.add(timer.schedule(
                        () -> serial.execute(this::slow), patience().toNanos(), TimeUnit.NANOSECONDS));
            }
            work.add(Mono.defer(() -> source.apply(message.keeper().view()))
                    .subscribe(view -> serial.execute(() -> end(view)), e -> serial.execute(() -> fail(e))));
        }

        private void slow() {
            if (holdsSlot) {
                giveSlot();
                owner.changed();
            }
        }

        private void giveSlot() {
            quick -= holdsSlot ? 1 : 0;
            holdsSlot = false;
        }

        private void end(MessageView view) {
            if (view.isUnreadable()) {
                fail(view.failure());
            } else if (remove(message)) {
                failing = false;
                usual = usual.plus(time.age().minus(usual).dividedBy(WEIGHT));
                message.keeper().opened(view);
                owner.read(message);
            }
        }

        private void fail(@Nullable Throwable why) {
            if (remove(message)) {
                boolean first = !failing;
                failing = true;
                owner.unread(message, first ? why : null);
            }
        }

        private void cancel() {
            giveSlot();
            work.dispose();
        }
    }

    private Duration patience() {
        Duration grown = usual.multipliedBy(TIMES_THE_USUAL);
        return grown.compareTo(MIN_PATIENCE) < 0 ? MIN_PATIENCE : grown;
    }

    /** Adds a message whose body is to be read. */
    void add(InHandMessage message) {
        unread.add(message);
    }

    /** Returns the number of messages that wait for their bodies. */
    int size() {
        return unread.size() + reads.size();
    }

    /** Returns the number of them that count as messages with a slot soon. */
    int due() {
        return unread.size() + quick;
    }

    /** Returns whether a read may end soon. */
    boolean isQuick() {
        return quick > 0;
    }

    /**
     * Starts reads.
     *
     * @param free how many slots are free
     * @param slots how many there are
     */
    void start(int free, int slots) {
        while (free > quick && !unread.isEmpty()) {
            int max = failing ? Math.max(1, slots / PART_THAT_TRIES) : slots;
            if (reads.size() < max) {
                start(unread.remove());
            } else if (quick == 0) {
                owner.unread(unread.remove(), null);
            } else {
                return;
            }
        }
    }

    private void start(InHandMessage message) {
        Read read = new Read(message);
        reads.put(message, read);
        message.keeper().begin();
        read.start();
    }

    /** Removes a message, which waits no longer. */
    boolean remove(InHandMessage message) {
        Read read = reads.remove(message);
        if (read != null) {
            read.cancel();
        }
        return read != null || unread.remove(message);
    }

    /** Removes and returns all messages. */
    List<InHandMessage> removeAll() {
        List<InHandMessage> all = new ArrayList<>(reads.keySet());
        all.addAll(unread);
        reads.values().forEach(Read::cancel);
        reads.clear();
        unread.clear();
        return all;
    }
}

package io.stowline.system.ledger.consumer;

import com.azure.core.util.Context;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A consumer as an engineer writes it with care on azure-storage-queue. It receives 32 messages at a time and holds 64 at most. It renews the
 * leases of all of them, deletes by the newest receipt, hides a message that failed for a second, and copies one to a poison queue that was
 * delivered five times.
 */
public final class SdkConsumerLoop implements AutoCloseable {

    private static final int RECEIVED = 32;
    private static final int MAX_IN_HAND = 2 * RECEIVED;
    private static final int POISON_AFTER = 5;
    private static final int LOOKS_IN_A_LEASE = 20;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    private static final Duration NEVER = Duration.ofSeconds(-1);
    private static final long MIN_PAUSE = 100;
    private static final long STOP_SECONDS = 20;

    private final QueueClient queue;
    private final QueueClient poison;
    private final Duration lease;
    private final long maxPause;
    private final Threads threads;
    private final Handler handler;
    private final Reports reports;
    private final Set<HeldItem> inHand = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(MAX_IN_HAND);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ScheduledFuture<?> renewals;

    /**
     * The threads of a loop; its caller closes them.
     *
     * @param handlers as many threads as handlers run at a time
     * @param background two threads: one polls, one renews
     */
    public record Threads(ExecutorService handlers, ScheduledExecutorService background) {}

    /**
     * The settings of a loop.
     *
     * @param lease the time of each receive and each renewal
     * @param maxPause between polls that bring nothing; the first pause is 100 ms
     */
    public record Settings(Duration lease, Duration maxPause) {}

    /** A handler of messages, whose exceptions fail the message. */
    @FunctionalInterface
    public interface Handler {

        void handle(QueueMessageItem message) throws Exception;
    }

    /** The end of a message. */
    public enum Ending {
        /** Handled and deleted. */
        DELETED,
        /** Failed and hidden for a while. */
        HIDDEN,
        /** Copied to the poison queue and deleted. */
        POISONED,
        /** The service refuses its receipt: another client has received or removed it. */
        LOST
    }

    /** Hears of endings, on the threads of the loop. */
    @FunctionalInterface
    public interface Reports {

        /**
         * Reports the end of a message; with an error the service has not confirmed it, or, of a loss, has refused a
         * renewal.
         */
        void ended(QueueMessageItem message, Ending ending, @Nullable RuntimeException error);
    }

    private SdkConsumerLoop(
            QueueClient queue,
            QueueClient poison,
            Settings settings,
            Threads threads,
            Handler handler,
            Reports reports) {
        this.queue = queue;
        this.poison = poison;
        this.lease = settings.lease();
        this.maxPause = settings.maxPause().toMillis();
        this.threads = threads;
        this.handler = handler;
        this.reports = reports;
        long between = lease.toMillis() / LOOKS_IN_A_LEASE;
        this.renewals =
                threads.background().scheduleWithFixedDelay(this::renew, between, between, TimeUnit.MILLISECONDS);
    }

    /**
     * Starts a loop.
     *
     * @param queue its queue
     * @param poison where messages go that fail again and again
     */
    public static SdkConsumerLoop start(
            QueueClient queue,
            QueueClient poison,
            Settings settings,
            Threads threads,
            Handler handler,
            Reports reports) {
        SdkConsumerLoop loop = new SdkConsumerLoop(queue, poison, settings, threads, handler, reports);
        threads.background().execute(loop::poll);
        return loop;
    }

    private void poll() {
        try {
            long pause = MIN_PAUSE;
            room.acquire(RECEIVED);
            while (stop.getCount() > 0) {
                int received = receive();
                room.release(received == 0 ? 0 : RECEIVED - received);
                if (received > 0) {
                    pause = MIN_PAUSE;
                    room.acquire(RECEIVED);
                } else if (!stop.await(pause, TimeUnit.MILLISECONDS)) {
                    pause = Math.min(maxPause, 2 * pause);
                }
            }
            room.release(RECEIVED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private int receive() {
        List<HeldItem> received = new ArrayList<>();
        try {
            long begun = System.nanoTime();
            for (QueueMessageItem item : queue.receiveMessages(RECEIVED, lease, null, Context.NONE)) {
                received.add(new HeldItem(item, begun + lease.toNanos()));
            }
        } catch (RuntimeException e) {
            // Messages of a lost response come again when their leases have ended.
            return 0;
        }
        for (HeldItem held : received) {
            inHand.add(held);
            threads.handlers().execute(() -> work(held));
        }
        return received.size();
    }

    private void work(HeldItem held) {
        try {
            if (held.begin()) {
                handle(held);
            }
        } finally {
            inHand.remove(held);
            room.release();
        }
    }

    private void handle(HeldItem held) {
        try {
            handler.handle(held.item());
        } catch (Exception e) {
            failed(held);
            return;
        }
        held.end(Ending.DELETED, () -> queue.deleteMessage(held.id(), held.receipt()), reports);
    }

    private void failed(HeldItem held) {
        if (held.item().getDequeueCount() < POISON_AFTER) {
            held.end(Ending.HIDDEN, () -> queue.updateMessage(held.id(), held.receipt(), null, RETRY_DELAY), reports);
        } else {
            held.end(Ending.POISONED, () -> poison(held), reports);
        }
    }

    private void poison(HeldItem held) {
        poison.sendMessageWithResponse(held.item().getBody(), null, NEVER, null, Context.NONE);
        queue.deleteMessage(held.id(), held.receipt());
    }

    private void renew() {
        inHand.forEach(held -> held.renew(queue, lease, reports));
    }

    /** Polls no more, and waits for the handlers of all that it holds. */
    @Override
    public void close() {
        stop.countDown();
        try {
            if (!ended.await(STOP_SECONDS, TimeUnit.SECONDS)
                    || !room.tryAcquire(MAX_IN_HAND, STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(inHand.size() + " messages are still handled");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            renewals.cancel(false);
        }
    }
}

package io.stowline.benchmarks.side;

import com.azure.core.util.Context;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import io.stowline.benchmarks.side.work.MessageFlow;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Consumer that an engineer writes with care on azure-storage-queue. It receives 32 messages at a time and has 64 at most in hand. It renews
 * all of their leases and deletes each message by its newest receipt. A message that fails reappears when its lease ends: in a measurement
 * none fails.
 */
final class SdkConsumer implements AutoCloseable {

    private static final int RECEIVED = 32;
    private static final int MAX_IN_HAND = 2 * RECEIVED;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long RENEWAL_CHECK_MILLIS = LEASE.toMillis() / 20;
    private static final long MIN_PAUSE_MILLIS = 100;
    private static final long MAX_PAUSE_MILLIS = 9_500;
    private static final long STOP_SECONDS = 20;

    private final QueueClient queue;
    private final Threads threads;
    private final MessageFlow.Handler handler;
    private final Set<LeasedMessage> inHand = ConcurrentHashMap.newKeySet();
    private final Semaphore room = new Semaphore(MAX_IN_HAND);
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ScheduledFuture<?> renewals;

    /**
     * Threads of a consumer, which its caller closes.
     *
     * @param handlers as many threads as handlers run at a time
     * @param background two threads: one polls, one renews
     */
    record Threads(ExecutorService handlers, ScheduledExecutorService background) {}

    private SdkConsumer(QueueClient queue, Threads threads, MessageFlow.Handler handler) {
        this.queue = queue;
        this.threads = threads;
        this.handler = handler;
        this.renewals = threads.background()
                .scheduleWithFixedDelay(this::renew, RENEWAL_CHECK_MILLIS, RENEWAL_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    static SdkConsumer start(QueueClient queue, Threads threads, MessageFlow.Handler handler) {
        SdkConsumer consumer = new SdkConsumer(queue, threads, handler);
        threads.background().execute(consumer::poll);
        return consumer;
    }

    private void poll() {
        try {
            long pause = MIN_PAUSE_MILLIS;
            room.acquire(RECEIVED);
            while (stop.getCount() > 0) {
                int received = receive();
                if (received > 0) {
                    pause = MIN_PAUSE_MILLIS;
                    room.release(RECEIVED - received);
                    room.acquire(RECEIVED);
                } else if (!stop.await(pause, TimeUnit.MILLISECONDS)) {
                    pause = Math.min(MAX_PAUSE_MILLIS, 2 * pause);
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
        int received = 0;
        long begun = System.nanoTime();
        for (QueueMessageItem item : queue.receiveMessages(RECEIVED, LEASE, null, Context.NONE)) {
            LeasedMessage message = new LeasedMessage(item, begun + LEASE.toNanos());
            inHand.add(message);
            threads.handlers().execute(() -> handle(message));
            received++;
        }
        return received;
    }

    private void handle(LeasedMessage message) {
        try {
            handler.handle(message.item.getBody().toString());
            message.delete(queue);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            inHand.remove(message);
            room.release();
        }
    }

    private void renew() {
        inHand.forEach(message -> message.renew(queue));
    }

    /** Ends polling, and waits for the handlers of all messages in hand. */
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

    /** Message in hand with its newest receipt. Deletion and renewal exclude each other. */
    private static final class LeasedMessage {

        private final QueueMessageItem item;
        private final ReentrantLock lock = new ReentrantLock();
        private String receipt;
        private long leaseEnd;
        private boolean ended;

        LeasedMessage(QueueMessageItem item, long leaseEnd) {
            this.item = item;
            this.receipt = item.getPopReceipt();
            this.leaseEnd = leaseEnd;
        }

        void delete(QueueClient queue) {
            lock.lock();
            try {
                ended = true;
                queue.deleteMessage(item.getMessageId(), receipt);
            } finally {
                lock.unlock();
            }
        }

        /** Renews the lease if half of it has passed, unless the message is being deleted. */
        void renew(QueueClient queue) {
            long now = System.nanoTime();
            if (!lock.tryLock()) {
                return;
            }
            try {
                if (!ended && leaseEnd - now <= LEASE.toNanos() / 2) {
                    receipt = queue.updateMessage(item.getMessageId(), receipt, null, LEASE)
                            .getPopReceipt();
                    leaseEnd = now + LEASE.toNanos();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}

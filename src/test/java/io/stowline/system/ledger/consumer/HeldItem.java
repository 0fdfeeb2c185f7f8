package io.stowline.system.ledger.consumer;

import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.QueueStorageException;
import io.stowline.system.ledger.consumer.SdkConsumerLoop.Ending;
import io.stowline.system.ledger.consumer.SdkConsumerLoop.Reports;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A message that a loop holds: its newest receipt, and whether it is lost. An ending and a renewal exclude each other. */
final class HeldItem {

    private static final int NOT_FOUND = 404;
    private static final String STALE = "PopReceiptMismatch";

    private final QueueMessageItem item;
    private final ReentrantLock lock = new ReentrantLock();
    private String receipt;
    private long leaseEnd;
    private @Nullable Thread thread;
    private boolean lost;
    private boolean over;

    HeldItem(QueueMessageItem item, long leaseEnd) {
        this.item = item;
        this.receipt = item.getPopReceipt();
        this.leaseEnd = leaseEnd;
    }

    QueueMessageItem item() {
        return item;
    }

    String id() {
        return item.getMessageId();
    }

    /** Returns the newest receipt; only in a request of {@link #end}. */
    String receipt() {
        return receipt;
    }

    /** Begins a handler on this thread, unless the message is lost. */
    boolean begin() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            return !lost;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the message by a request, unless it is lost. */
    void end(Ending ending, Runnable request, Reports reports) {
        lock.lock();
        try {
            over = true;
            thread = null;
            if (lost) {
                // The interrupt was for the handler.
                Thread.interrupted();
                return;
            }
            RuntimeException error = null;
            try {
                request.run();
            } catch (RuntimeException e) {
                error = e;
            }
            reports.ended(item, ending, error);
        } finally {
            lock.unlock();
        }
    }

    /** Renews the lease if half of it has passed. A receipt that is refused, or a lease that has ended, interrupts the handler. */
    void renew(QueueClient queue, Duration lease, Reports reports) {
        long now = System.nanoTime();
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (over || lost || leaseEnd - now > lease.toNanos() / 2) {
                return;
            }
            receipt = queue.updateMessage(id(), receipt, null, lease).getPopReceipt();
            leaseEnd = now + lease.toNanos();
        } catch (RuntimeException e) {
            // other errors are tried again at the next renewal
            if (isRefusal(e) || leaseEnd - System.nanoTime() <= 0) {
                lost = true;
                if (thread != null) {
                    thread.interrupt();
                }
                reports.ended(item, Ending.LOST, e);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isRefusal(RuntimeException error) {
        return error instanceof QueueStorageException storage
                && (storage.getStatusCode() == NOT_FOUND || STALE.equals(String.valueOf(storage.getErrorCode())));
    }
}

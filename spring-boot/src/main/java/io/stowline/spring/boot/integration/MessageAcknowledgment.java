package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageLease;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.integration.acks.AcknowledgmentCallback;

/** The acknowledgment of one message by its flow, on any thread and once. Its handler waits for it and settles the message. Thread-safe. */
final class MessageAcknowledgment implements AcknowledgmentCallback {

    private final MessageLease<?> lease;
    private final CompletableFuture<Status> status = new CompletableFuture<>();

    MessageAcknowledgment(MessageLease<?> lease) {
        this.lease = lease;
    }

    @Override
    public void acknowledge(Status status) {
        Objects.requireNonNull(status, "status");
        boolean lost = !isAcknowledged() && lease.isLost();
        if (lost || (!this.status.complete(status) && this.status.isCancelled())) {
            throw new MessageLease.LeaseLostException("the message " + lease.id()
                    + " is acknowledged too late: it has failed or is lost, and is received again");
        }
    }

    @Override
    public boolean isAcknowledged() {
        return status.isDone() && !status.isCancelled();
    }

    /** The adapter has no automatic acknowledgment to take back. */
    @Override
    public void noAutoAck() {}

    @Override
    public boolean isAutoAck() {
        return false;
    }

    /** Refuses acknowledgments from now on; returns {@code false} if the message has one. */
    boolean expire() {
        return status.cancel(false);
    }

    /**
     * Waits for the acknowledgment.
     *
     * @throws InterruptedException if the message is lost, or its handler is stopped, before there is one
     */
    Status await() throws InterruptedException {
        try {
            return status.get();
        } catch (InterruptedException e) {
            if (expire()) {
                throw e;
            }
            Thread.currentThread().interrupt();
            return status.join();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Shows no body. */
    @Override
    public String toString() {
        return "MessageAcknowledgment[" + lease + "]";
    }
}

package io.stowline.spring.boot.integration;

import io.stowline.queue.MessageLease;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.integration.acks.AcknowledgmentCallback;

/** The acknowledgment of one message by its flow, on any thread and once. Its handler waits for it and settles the message. Thread-safe. */
final class MessageAcknowledgment implements AcknowledgmentCallback {

    private final MessageLease<?> lease;

    /** Empty if the adapter gives the message back; cancelled if the message is lost or has failed. */
    private final CompletableFuture<Optional<Status>> status = new CompletableFuture<>();

    MessageAcknowledgment(MessageLease<?> lease) {
        this.lease = lease;
    }

    @Override
    public void acknowledge(Status status) {
        Optional<Status> acknowledged = Optional.of(status);
        boolean lost = !isAcknowledged() && lease.isLost();
        if (lost || (!this.status.complete(acknowledged) && !isAcknowledged())) {
            throw new MessageLease.LeaseLostException("the message " + lease.id()
                    + " is acknowledged too late: it has failed, is lost or is given back, and is received again");
        }
    }

    @Override
    public boolean isAcknowledged() {
        return status.isDone() && !status.isCancelled() && status.join().isPresent();
    }

    /** The adapter has no automatic acknowledgment to take back. */
    @Override
    public void noAutoAck() {}

    @Override
    public boolean isAutoAck() {
        return false;
    }

    /** Gives the message back unless it is acknowledged. */
    void giveBack() {
        status.complete(Optional.empty());
    }

    /** Refuses acknowledgments from now on; returns {@code false} if the message has one. */
    boolean expire() {
        return status.cancel(false) || !isAcknowledged();
    }

    /**
     * Waits for the acknowledgment.
     *
     * @throws InterruptedException if the message is lost, or its handler is stopped, before there is one
     */
    Status await() throws InterruptedException {
        try {
            return status.get().orElse(Status.REQUEUE);
        } catch (InterruptedException e) {
            if (expire()) {
                throw e;
            }
            Thread.currentThread().interrupt();
            return status.join().orElse(Status.REQUEUE);
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

package io.stowline.queue.internal.consumer.lease;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.retry.internal.timeout.RenewalTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The lease of one message: its newest receipt, and what its renewals so far show of that receipt. Only in the serial executor, but for
 * {@link #left} and {@link #receipt}.
 */
final class LeaseRenewal {

    private final KeeperEnvironment environment;
    private final MessageHeader message;
    private volatile LeaseReceipt receipt;
    private boolean inFlight;
    private boolean ambiguous;
    private boolean orphaned;
    private int failures;

    LeaseRenewal(KeeperEnvironment environment, MessageHeader message, LeaseReceipt receipt) {
        this.environment = environment;
        this.message = message;
        this.receipt = receipt;
    }

    /** Returns the newest receipt. */
    LeaseReceipt receipt() {
        return receipt;
    }

    /** Returns the certain rest of the lease; zero or less once it has ended. */
    Duration left() {
        return receipt.leaseTimer().left();
    }

    /**
     * Returns the time for an ending, which is tried once even after the certain end: the receipt holds until another
     * client receives the message.
     */
    Duration timeToEnd() {
        return RenewalTimes.ending(left());
    }

    /** Returns the time until half of the lease has passed; zero or less once it has. */
    Duration untilHalf() {
        return RenewalTimes.untilHalf(left(), environment.lease());
    }

    boolean isInFlight() {
        return inFlight;
    }

    /** Returns whether a renewal can do any good: none is in flight, the receipt may hold, and time is left. */
    boolean isPossible() {
        return !inFlight && !orphaned && RenewalTimes.isEnough(left());
    }

    /** Returns whether the last renewal has failed and another one can help. */
    boolean isToRepeat() {
        return failures > 0 && !orphaned;
    }

    boolean hasFailed() {
        return failures > 0;
    }

    /** Returns the wait after a failure: at most half of the time in which another attempt can begin. */
    Duration pause() {
        return RenewalTimes.pause(left(), failures, environment.random());
    }

    /**
     * Renews the lease by one attempt.
     *
     * @param text the new text of the message, or {@code null} to leave it
     */
    Mono<LeaseReceipt> attempt(@Nullable String text) {
        inFlight = true;
        return environment.channel().renew(message, receipt, text, environment.lease(), RenewalTimes.attempt(left()));
    }

    /** Returns whether the lease ends too soon for a renewal in time, although none has been tried. */
    boolean isShort() {
        return !RenewalTimes.isEnough(left());
    }

    /**
     * Renews a lease that is too short by one attempt, also after its certain end: the receipt holds until another
     * client receives the message.
     */
    Mono<LeaseReceipt> lateAttempt() {
        inFlight = true;
        return environment.channel().renew(message, receipt, null, environment.lease(), timeToEnd());
    }

    /** Takes the newer receipt of a renewal or of a later delivery. */
    void succeeded(LeaseReceipt newer) {
        receipt = newer;
        failures = 0;
        ambiguous = false;
        orphaned = false;
    }

    /** Ends the attempt, with any result. */
    void returned() {
        inFlight = false;
    }

    /** Counts a failed renewal; returns false if it shows that the message is lost. */
    boolean failed(Throwable error) {
        failures++;
        if (error instanceof OutcomeUnknownException) {
            ambiguous = true;
        } else if (isTaken(error)) {
            // The receipt that a lost response carried may be the one that holds; no other client can have one before
            // the end.
            orphaned = ambiguous && left().compareTo(Duration.ZERO) > 0;
            return orphaned;
        }
        return true;
    }

    /** Returns whether the service has refused the receipt: the message belongs to another client, or is gone. */
    static boolean isTaken(Throwable error) {
        return error instanceof PreconditionFailedException || error instanceof NotFoundException;
    }
}

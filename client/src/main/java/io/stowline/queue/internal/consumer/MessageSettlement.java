package io.stowline.queue.internal.consumer;

import io.stowline.error.internal.PrintableText;
import io.stowline.observe.ConsumerEvent.Result;
import io.stowline.queue.internal.consumer.ConsumerEnvironment.DeliveryEnd;
import io.stowline.queue.internal.consumer.lease.HandlingFailure;
import io.stowline.queue.internal.consumer.lease.KeeperEnvironment;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The settlement of a consumer's messages: by the result of its handler a message is deleted, hidden for a while, given back or copied to the
 * poison queue. Only in the serial executor.
 */
final class MessageSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerEngine.class);

    private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofDays(7);

    /** The time for which a message without its body is hidden: at first, and the bound of its doubling. */
    private static final Duration UNREAD = Duration.ofSeconds(10);

    private static final Duration MAX_UNREAD = Duration.ofMinutes(5);
    private static final int MAX_DOUBLINGS = 5;
    private static final long MAX_RETURNS = 1_000;

    private final KeeperEnvironment environment;
    private final ConsumerSettings settings;
    private final DeliveryLedger ledger;
    private final ConsumerEngine owner;
    private final Set<String> withoutClaimCheck = new HashSet<>();

    MessageSettlement(
            KeeperEnvironment environment, ConsumerSettings settings, DeliveryLedger ledger, ConsumerEngine owner) {
        this.environment = environment;
        this.settings = settings;
        this.ledger = ledger;
        this.owner = owner;
    }

    /** Settles a message by the result of its handler. */
    void settle(InHandMessage message, @Nullable Throwable error) {
        LeaseKeeper keeper = message.keeper();
        if (message.isOver() || keeper.isClaimed() || !message.decide()) {
            return;
        }
        HandlingFailure failure = keeper.failure();
        Throwable cause = failure.or(error);
        message.because(cause);
        if (cause == null) {
            quietly(keeper.complete());
            return;
        }
        ledger.because(keeper.id(), cause);
        int failures = ledger.failures(keeper.id()) + 1;
        if (failure.isUnreadable()) {
            poison(message, "cannot be decoded", cause);
            return;
        }
        switch (failure.action()) {
            case POISON -> {
                ledger.failed(keeper.id());
                poison(message, "failed, and this failure is poison at once", cause);
            }
            case GIVE_BACK -> {
                Duration delay = returnDelay(keeper);
                failed(
                        keeper,
                        "is given back",
                        "delivery " + keeper.header().dequeueCount() + ", not counted",
                        cause,
                        delay);
                quietly(keeper.release(delay));
            }
            case RETRY -> count(message, failures, cause);
        }
    }

    private void count(InHandMessage message, int failures, Throwable cause) {
        LeaseKeeper keeper = message.keeper();
        if (ledger.isPoison(failures)) {
            ledger.failed(keeper.id());
            poison(message, DeliveryLedger.reason(failures), cause);
        } else {
            Duration delay = delay(failures);
            failed(keeper, "failed", failures + " of " + settings.poisonAfter(), cause, delay);
            quietly(keeper.retryIn(delay));
            owner.visibleIn(keeper.header().queue(), delay);
        }
    }

    /** One line for each failure; its stack is for debugging. */
    private static void failed(LeaseKeeper keeper, String what, String count, Throwable cause, Duration delay) {
        String resource = keeper.header().resource();
        LOG.warn("{} {} ({}) and is received again in {}: {}", resource, what, count, delay, line(cause));
        LOG.debug("the failure of {}", resource, UserCode.printable(cause));
    }

    private static String line(Throwable failure) {
        return PrintableText.of(UserCode.text(failure));
    }

    private Duration delay(int failures) {
        Duration delay = settings.retryDelay().isNone()
                ? Duration.ZERO
                : settings.retryDelay().delay(failures, environment.random());
        return delay.compareTo(MAX_DELAY) <= 0 ? delay : MAX_DELAY;
    }

    /** Returns the delay of a returned message, which keeps a handler from a loop at full speed. */
    Duration returnDelay(LeaseKeeper keeper) {
        Duration delay = delay((int) Math.min(ledger.returns(keeper.id()) + 1, MAX_RETURNS));
        owner.visibleIn(keeper.header().queue(), delay);
        return delay;
    }

    /** Copies a message to the poison queue and deletes it. */
    void poison(InHandMessage message, String reason, @Nullable Throwable cause) {
        LeaseKeeper keeper = message.keeper();
        message.poison(reason, cause);
        LOG.warn("{} is poison: {}", keeper.header().resource(), PrintableText.of(reason), UserCode.printable(cause));
        keeper.poison(reason, cause)
                .subscribe(nothing -> {}, e -> environment.serial().execute(() -> notCopied(message, e)));
    }

    private void notCopied(InHandMessage message, Throwable error) {
        if (!message.isOver()) {
            LeaseKeeper keeper = message.keeper();
            String resource = keeper.header().resource();
            LOG.warn("{} is not copied to the poison queue and stays: {}", resource, line(error));
            LOG.debug("the failure of the copy of {}", resource, UserCode.printable(error));
            result(message, Result.POISON_FAILED, error);
            quietly(keeper.release(delay(settings.poisonAfter())));
        }
    }

    /** Removes a message that is done. Its result was counted when it was done. */
    void drop(InHandMessage message) {
        message.count();
        quietly(message.keeper().complete());
    }

    /** Gives a message back, for others to receive it at once. */
    void release(InHandMessage message) {
        quietly(message.keeper().release(Duration.ZERO));
    }

    /** Gives a message back for which a step failed. */
    void releaseAfterFault(InHandMessage message) {
        quietly(message.keeper().release(AFTER_FAULT));
    }

    /** Gives a message back whose handler was not started. */
    void releaseUnstarted(InHandMessage message) {
        quietly(message.keeper().release(delay(1)));
    }

    /** Gives a message back that has a blob. Without a claim check all of them come here, so that one warning serves for all. */
    void leaveToOthers(InHandMessage message) {
        String queue = message.keeper().header().queue();
        if (withoutClaimCheck.add(queue)) {
            LOG.warn(
                    "{} has messages whose bodies are in blobs, and this consumer has no claimCheck to read them: they"
                            + " are given back for other consumers, each time for {}",
                    queue,
                    UNREAD);
        }
        quietly(message.keeper().release(UNREAD));
    }

    /** Gives a message back whose body is not read. That is no failure of it. Each time it costs less, since the message stays hidden longer. */
    void releaseUnread(InHandMessage message, @Nullable Throwable why) {
        LeaseKeeper keeper = message.keeper();
        if (why != null) {
            String resource = keeper.header().resource();
            LOG.warn("{}: body blob is unreadable; message released for redelivery: {}", resource, line(why));
            LOG.debug("the failure of the body of {}", resource, UserCode.printable(why));
        }
        int doublings = Math.min(ledger.unread(keeper.id()) - 1, MAX_DOUBLINGS);
        Duration delay = UNREAD.multipliedBy(1L << doublings);
        quietly(keeper.release(delay.compareTo(MAX_UNREAD) < 0 ? delay : MAX_UNREAD));
    }

    /** Reports the result of a delivery; each has one. */
    void result(InHandMessage message, Result result, @Nullable Throwable error) {
        if (message.count()) {
            boolean poison = result == Result.POISONED || result == Result.POISON_FAILED;
            owner.result(
                    message.keeper(),
                    new DeliveryEnd(result, error, poison ? message.reason() : null, message.failure()));
        }
    }

    /** The watcher receives failures. */
    private static void quietly(Mono<Void> work) {
        work.subscribe(nothing -> {}, e -> LOG.debug("a message was not ended as intended", e));
    }
}

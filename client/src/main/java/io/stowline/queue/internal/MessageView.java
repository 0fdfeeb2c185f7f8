package io.stowline.queue.internal;

import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.internal.timeout.RenewalTimes;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A message as every reader sees it.
 *
 * @param header its facts by the service
 * @param raw its text
 * @param origin which of the account's places gave it
 * @param opened its envelope with the body, or {@code null} if it has none or none was looked for
 */
public record MessageView(
        MessageHeader header,
        String raw,
        ReadOrigin origin,
        @Nullable OpenedEnvelope opened) {

    /**
     * A message whose envelope was not looked for.
     *
     * @param header its facts by the service
     * @param raw its text
     * @param origin which of the account's places gave it
     */
    public MessageView(MessageHeader header, String raw, ReadOrigin origin) {
        this(header, raw, origin, null);
    }

    /**
     * A message of the primary.
     *
     * @param header its facts by the service
     * @param raw its text
     */
    public MessageView(MessageHeader header, String raw) {
        this(header, raw, ReadOrigin.primary());
    }

    /** Returns whether its body is in a blob that cannot be read now, or not by this queue. */
    public boolean isUnreadable() {
        Throwable failure = failure();
        return failure != null && !(failure instanceof IllegalArgumentException);
    }

    /** Returns why its body cannot be read from its blob, or {@code null}. */
    public @Nullable Throwable failure() {
        return opened == null ? null : opened.missing();
    }

    /** Returns this message with its envelope opened, or {@code null} if it has none. */
    public MessageView opened(@Nullable OpenedEnvelope content) {
        return new MessageView(header, raw, origin, content);
    }

    @Override
    public String toString() {
        return "MessageView[" + header + "]";
    }

    /**
     * The envelope of a message, and its body if a blob holds that.
     *
     * @param body the body as it lies in the blob, or {@code null} if it is in the envelope
     * @param missing why the body cannot be read from the blob, or {@code null}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record OpenedEnvelope(
            MessageEnvelope envelope,
            byte @Nullable [] body,
            @Nullable Throwable missing) {

        /** Returns whether the body is gone for good, and not only out of reach for now. */
        public boolean isLost() {
            return missing instanceof BodyException;
        }
    }

    /**
     * The facts of a message that the service shows to every reader.
     *
     * @param queue its queue
     * @param dequeueCount the number of its receipts
     * @param insertedAt the time of its insertion
     * @param expiresAt the time of its expiry
     */
    public record MessageHeader(String queue, String id, long dequeueCount, Instant insertedAt, Instant expiresAt) {

        /**
         * Returns the name of the message in failures.
         *
         * @return queue and id
         */
        public String resource() {
            return queue + "(" + id + ")";
        }

        /**
         * Returns the time to live from its sending on.
         *
         * @return the time, or what stands for never
         */
        public Duration timeToLive() {
            return QueueTimeLimits.timeToLive(insertedAt, expiresAt);
        }
    }

    /**
     * A message as its receiver gets it.
     *
     * @param view the message as every reader sees it
     * @param lease the receiver's right to it
     */
    public record DeliveredMessage(MessageView view, LeaseReceipt lease) {

        /**
         * Opens the envelopes of received messages.
         *
         * @param opening opens those of their views, in the same order
         */
        public static Mono<List<DeliveredMessage>> opened(
                List<DeliveredMessage> messages, Function<List<MessageView>, Mono<List<MessageView>>> opening) {
            return opening.apply(messages.stream().map(DeliveredMessage::view).toList())
                    .map(views -> IntStream.range(0, views.size())
                            .mapToObj(i -> new DeliveredMessage(
                                    views.get(i), messages.get(i).lease()))
                            .toList());
        }
    }

    /**
     * The right to a message for a time.
     *
     * @param popReceipt what proves it
     * @param visibleAt when it ends, by the service's clock
     * @param leaseTimer how long it runs for certain, by our own
     */
    public record LeaseReceipt(String popReceipt, Instant visibleAt, LeaseTimer leaseTimer) {

        /**
         * Checks that there is a receipt.
         *
         * @param popReceipt what proves it
         * @param visibleAt when it ends, by the service's clock
         * @param leaseTimer how long it runs for certain, by our own
         */
        public LeaseReceipt {
            Objects.requireNonNull(popReceipt, "popReceipt");
            Objects.requireNonNull(leaseTimer, "leaseTimer");
        }

        @Override
        public String toString() {
            return "Lease[until " + visibleAt + "]";
        }

        /**
         * A timer of the certain time of a lease. It runs from before the request for the lease, by whichever of this
         * machine's clocks has gone further. An update that went out voids it, as one with a lost response may have
         * given the message another receipt. Thread-safe.
         */
        public static final class LeaseTimer {

            private final Stopwatch requested;
            private final Duration certain;
            private final AtomicInteger contests = new AtomicInteger();

            private LeaseTimer(Stopwatch requested, Duration certain) {
                this.requested = requested;
                this.certain = certain;
            }

            /**
             * Returns the timer of a request that is sent after this moment.
             *
             * @param lease the time that the request carries
             */
            public static LeaseTimer of(Stopwatch requested, Duration lease) {
                return new LeaseTimer(requested, lease.minus(RenewalTimes.MARGIN));
            }

            /** Returns the requested time. */
            public Duration lease() {
                return certain.plus(RenewalTimes.MARGIN);
            }

            /** Suspends the timer for an update with its receipt, after which another receipt may hold. */
            void contest() {
                contests.incrementAndGet();
            }

            /** Restores the timer after an update that was not carried out and will not be. */
            void uphold() {
                contests.decrementAndGet();
            }

            /**
             * Returns whether no other client can have the message, and nothing else can have been done with its
             * receipt.
             */
            boolean runs() {
                return contests.get() == 0 && requested.age().compareTo(certain) < 0;
            }

            /**
             * Returns the time in which no other client can have the message, whatever has been done with its receipt
             * here.
             *
             * @return the time, zero or less once it has passed
             */
            public Duration left() {
                return certain.minus(requested.age());
            }
        }
    }
}

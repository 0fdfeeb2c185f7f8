package io.stowline.table;

import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which one writer buffers, waits and ends.
 *
 * <pre>
 * linger               0, an idle lane sends at once; batches form while others are in flight
 * bufferItems          10,000 accepted and not terminal, in flight included, or terminal until its callbacks have run
 * bufferBytes          32 MiB, counted alike
 * submitTimeout        60 s, how long submit waits for room
 * deliveryTimeout      2 min from its acceptance, the time in which an item must have its end; with a linger of 2 min or
 *                      more so much longer
 * giveUpAfter          5 min without any success, after which the writer breaks
 * closeTimeout         2 min, after which a close fails what is left
 * coalesce             off
 * stopEntityOnFailure  off
 * onFailure            nothing is called
 * warnAtExit           on
 * callbacks            the engine's
 * </pre>
 *
 * <p>One lane holds at most max(200, bufferItems / 8) items and max(one full batch, bufferBytes / 8) bytes. Immutable
 * and safe for use by many threads.
 */
public final class WriterSettings {

    private static final WriterSettings DEFAULTS = builder().build();

    private final Builder given;

    private WriterSettings(Builder given) {
        this.given = given;
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static WriterSettings defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a builder that holds the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder that holds these settings.
     *
     * @return a new builder
     */
    public Builder toBuilder() {
        return given.copy();
    }

    /**
     * Returns how long an idle lane waits for a fuller batch, counted from the batch's first item.
     *
     * @return the time
     */
    public Duration linger() {
        return given.linger;
    }

    /**
     * Returns the most items that are accepted and not terminal, or terminal until their callbacks have run.
     *
     * @return the number of items
     */
    public int bufferItems() {
        return given.bufferItems;
    }

    /**
     * Returns the most bytes of items that are accepted and not terminal, or terminal until their callbacks have run.
     *
     * @return the number of bytes
     */
    public long bufferBytes() {
        return given.bufferBytes;
    }

    /**
     * Returns how long a submit waits for room.
     *
     * @return the time
     */
    public Duration submitTimeout() {
        return given.submitTimeout;
    }

    /**
     * Returns the time from its acceptance in which an item must have its end.
     *
     * @return the time, or null when there is no such limit
     */
    public @Nullable Duration deliveryTimeout() {
        return given.resolvedDelivery();
    }

    /**
     * Returns how long the writer may be without any success, although it tried, before it breaks.
     *
     * @return the time, or null when it never gives up
     */
    public @Nullable Duration giveUpAfter() {
        return given.giveUp.time;
    }

    /**
     * Returns what is called for every item that fails.
     *
     * @return the listener, or null when nothing is called
     */
    public @Nullable Consumer<? super ItemResult<Object, WriteResult>> onFailure() {
        return given.onFailure;
    }

    /**
     * Returns whether a warning is logged when the process ends while the writer holds items and was not closed.
     *
     * @return true when it is
     */
    public boolean warnAtExit() {
        return given.warnAtExit;
    }

    /**
     * Returns the settings of a writer whose items are kept elsewhere until they have their end: without a limit for the
     * delivery, unless one was set, without giving up, and without a warning at the exit, where nothing is lost.
     *
     * @return the settings
     */
    public WriterSettings endless() {
        Builder copy = given.copy();
        copy.delivery = given.delivery.set ? given.delivery : Limit.NONE;
        copy.giveUp = Limit.NONE;
        copy.warnAtExit = false;
        return new WriterSettings(copy);
    }

    /**
     * Returns how long a close waits for what is buffered.
     *
     * @return the time
     */
    public Duration closeTimeout() {
        return given.closeTimeout;
    }

    /**
     * Returns whether a queued item and a later one of its entity are sent as one.
     *
     * @return true when they are
     */
    public boolean coalesce() {
        return given.coalesce;
    }

    /**
     * Returns whether the failure of an item fails the queued items of its entity.
     *
     * @return true when it does
     */
    public boolean stopEntityOnFailure() {
        return given.stopEntityOnFailure;
    }

    /**
     * Returns what runs the callbacks.
     *
     * @return the executor, or null for the engine's
     */
    public @Nullable Executor callbacks() {
        return given.callbacks;
    }

    /** A time with a default; null where there is none. */
    private static final class Limit {

        static final Limit NONE = new Limit(null, true);

        private final @Nullable Duration time;
        private final boolean set;

        private Limit(@Nullable Duration time, boolean set) {
            this.time = time;
            this.set = set;
        }

        static Limit usually(Duration time) {
            return new Limit(time, false);
        }

        static Limit of(Duration time) {
            return new Limit(time, true);
        }
    }

    /** A builder of {@link WriterSettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private static final Duration MAX = Duration.ofDays(1);
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final int MAX_ITEMS = 100_000_000;

        private Duration linger = Duration.ZERO;
        private int bufferItems = 10_000;
        private long bufferBytes = 32L << 20;
        private Duration submitTimeout = Duration.ofSeconds(60);
        private Limit delivery = Limit.usually(Duration.ofMinutes(2));
        private Limit giveUp = Limit.usually(Duration.ofMinutes(5));
        private @Nullable Consumer<? super ItemResult<Object, WriteResult>> onFailure;
        private Duration closeTimeout = Duration.ofMinutes(2);
        private boolean warnAtExit = true;
        private boolean coalesce;
        private boolean stopEntityOnFailure;
        private @Nullable Executor callbacks;

        private Builder() {}

        /**
         * Sets how long an idle lane waits for a fuller batch, counted from the batch's first item and never extended.
         * A full batch, a flush, a close or a submit that waits for room ends it early.
         *
         * @param linger the time, zero to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder linger(Duration linger) {
            this.linger = between("linger", linger, Duration.ZERO, MAX);
            return this;
        }

        /**
         * Sets the most items that are accepted and not terminal, in flight included, or terminal until their callbacks
         * have run. An item that was coalesced with others counts as what they are. What a running callback submits
         * takes room by the items that are not terminal: with it the buffer holds at most twice this number, and one
         * more for each callback that waits for a reactive write.
         *
         * @param bufferItems the number, 1 to 100,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferItems(int bufferItems) {
            this.bufferItems = between("bufferItems", bufferItems, 1, MAX_ITEMS);
            return this;
        }

        /**
         * Sets the most bytes of items that are accepted and not terminal, in flight included, or terminal until their
         * callbacks have run; twice that where running callbacks submit. At most an eighth of it is for failures whose
         * results were not taken. The engine also requests room for one full batch.
         *
         * @param bufferBytes the number, at least 1
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferBytes(long bufferBytes) {
            this.bufferBytes = between("bufferBytes", bufferBytes, 1L, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets how long a submit waits for room.
         *
         * @param submitTimeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder submitTimeout(Duration submitTimeout) {
            this.submitTimeout = between("submitTimeout", submitTimeout, SHORTEST, MAX);
            return this;
        }

        /**
         * Sets the time from its acceptance in which an item must have its end, all retries included; how often it is
         * sent in that time is up to the back-off. An item that had no effect by then is never sent again and fails with a
         * {@link DeliveryTimeoutException}. What is in flight is not cut short: its sender receives the time, and an item of
         * which it does not know the outcome does not end with that exception. Items that were coalesced have the time
         * of the first. The wait for room is not a part of it.
         *
         * @param deliveryTimeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder deliveryTimeout(Duration deliveryTimeout) {
            this.delivery = Limit.of(between("deliveryTimeout", deliveryTimeout, SHORTEST, MAX));
            return this;
        }

        /**
         * Has items wait for their end as long as it takes.
         *
         * @return this builder
         */
        public Builder withoutDeliveryTimeout() {
            this.delivery = Limit.NONE;
            return this;
        }

        /**
         * Sets how long the writer may be without any success before it gives up: it breaks with one {@link
         * GaveUpException}, which every later submit and the close throw. A response about an item counts as a success,
         * also when it refuses the item. Time counts only while the writer tries to send what it holds.
         *
         * @param giveUpAfter the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder giveUpAfter(Duration giveUpAfter) {
            this.giveUp = Limit.of(between("giveUpAfter", giveUpAfter, SHORTEST, MAX));
            return this;
        }

        /**
         * Has the writer go on trying, however long it is without a success.
         *
         * @return this builder
         */
        public Builder withoutGivingUp() {
            this.giveUp = Limit.NONE;
            return this;
        }

        /**
         * Sets what is called for every accepted item that fails, on the callback executor, whether or not its result is
         * taken. What it throws is logged and counted. A table's writer with a journal also calls it once when it is paused,
         * with an operation that has not failed.
         *
         * @param listener gets the item and why it failed
         * @return this builder
         */
        public Builder onFailure(Consumer<? super ItemResult<Object, WriteResult>> listener) {
            this.onFailure = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets whether a warning is logged when the process ends while the writer holds items and was not closed. Nothing is
         * closed then and nothing is waited for. An application that closes its writers in a shutdown hook may
         * turn it off, since hooks run side by side.
         *
         * @param warnAtExit true to be warned
         * @return this builder
         */
        public Builder warnAtExit(boolean warnAtExit) {
            this.warnAtExit = warnAtExit;
            return this;
        }

        /**
         * Sets how long a close waits for what is buffered before it fails the rest.
         *
         * @param closeTimeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder closeTimeout(Duration closeTimeout) {
            this.closeTimeout = between("closeTimeout", closeTimeout, SHORTEST, MAX);
            return this;
        }

        /**
         * Sets whether a queued item and a later one of the same entity become one by
         * the rules of the service; both results complete with the outcome of what was sent.
         *
         * @param coalesce true to coalesce
         * @return this builder
         */
        public Builder coalesce(boolean coalesce) {
            this.coalesce = coalesce;
            return this;
        }

        /**
         * Sets whether the failure of an item fails this writer's queued items of the same entity with a
         * {@link PredecessorFailedException}.
         *
         * @param stopEntityOnFailure true to stop them
         * @return this builder
         */
        public Builder stopEntityOnFailure(boolean stopEntityOnFailure) {
            this.stopEntityOnFailure = stopEntityOnFailure;
            return this;
        }

        /**
         * Sets what runs the callbacks of this writer in place of the engine's executor. It must run each of them: one that
         * is dropped keeps its room. One that runs them in its caller runs them on the thread that carries the response,
         * which often must not block.
         *
         * @param callbacks the executor
         * @return this builder
         */
        public Builder callbacks(Executor callbacks) {
            this.callbacks = Objects.requireNonNull(callbacks, "callbacks");
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if {@code deliveryTimeout} is not longer than {@code linger}
         */
        public WriterSettings build() {
            Duration deliveryTimeout = resolvedDelivery();
            if (deliveryTimeout != null && deliveryTimeout.compareTo(linger) <= 0) {
                throw new IllegalArgumentException("deliveryTimeout must be longer than linger, " + linger
                        + ", but was " + deliveryTimeout + ": what lingers would not be sent");
            }
            return new WriterSettings(copy());
        }

        private static <V extends Comparable<V>> V between(String name, V value, V min, V max) {
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException(
                        name + " must be between " + min + " and " + max + " but was " + value);
            }
            return value;
        }

        /** An unset time leaves as much after the longest linger as without one. */
        private @Nullable Duration resolvedDelivery() {
            Duration time = delivery.time;
            return delivery.set || time == null || linger.compareTo(time) < 0 ? time : time.plus(linger);
        }

        private Builder copy() {
            Builder copy = new Builder();
            copy.linger = linger;
            copy.bufferItems = bufferItems;
            copy.bufferBytes = bufferBytes;
            copy.submitTimeout = submitTimeout;
            copy.delivery = delivery;
            copy.giveUp = giveUp;
            copy.onFailure = onFailure;
            copy.closeTimeout = closeTimeout;
            copy.warnAtExit = warnAtExit;
            copy.coalesce = coalesce;
            copy.stopEntityOnFailure = stopEntityOnFailure;
            copy.callbacks = callbacks;
            return copy;
        }
    }
}

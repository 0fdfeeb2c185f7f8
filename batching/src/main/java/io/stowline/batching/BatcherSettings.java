package io.stowline.batching;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How one {@link Batcher} buffers, waits and ends.
 *
 * <pre>
 * linger               0, an idle lane sends at once; batches form while others are in flight
 * bufferItems          10,000 accepted and not terminal, in flight included, or terminal until its callbacks have run
 * bufferBytes          32 MiB, counted alike
 * submitTimeout        60 s, how long submit waits for room
 * itemTimeout          none, how long an item may wait from its submit until it is sent
 * closeTimeout         2 min, after which a close fails what is left
 * coalesce             off
 * stopEntityOnFailure  off
 * callbacks            the engine's
 * </pre>
 *
 * <p>One lane holds at most max(200, bufferItems / 8) items and max(one full batch, bufferBytes / 8) bytes. Immutable
 * and safe for use by many threads.
 */
public final class BatcherSettings {

    private static final int LEAST_SHARE = 200;
    private static final int SHARE = 8;
    private static final BatcherSettings DEFAULTS = builder().build();

    private final Builder given;

    private BatcherSettings(Builder given) {
        this.given = given;
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static BatcherSettings defaults() {
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
     * Returns how long an item may wait from its submit until it is sent.
     *
     * @return the time, or null when there is no such limit
     */
    public @Nullable Duration itemTimeout() {
        return given.itemTimeout;
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
     * Returns whether queued items are replaced by {@link BatchDescriptor#coalesce}.
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

    int laneItems() {
        return Math.max(LEAST_SHARE, given.bufferItems / SHARE);
    }

    long laneBytes(BatchLimits limits) {
        return Math.max(limits.maxBytes(), given.bufferBytes / SHARE);
    }

    /** Collects {@link BatcherSettings}; every setter checks its value at once. Not safe for use by many threads. */
    public static final class Builder {

        private static final Duration LONGEST = Duration.ofDays(1);
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final int MOST_ITEMS = 100_000_000;

        private Duration linger = Duration.ZERO;
        private int bufferItems = 10_000;
        private long bufferBytes = 32L << 20;
        private Duration submitTimeout = Duration.ofSeconds(60);
        private @Nullable Duration itemTimeout;
        private Duration closeTimeout = Duration.ofMinutes(2);
        private boolean coalesce;
        private boolean stopEntityOnFailure;
        private @Nullable Executor callbacks;

        private Builder() {}

        /**
         * Sets how long an idle lane waits for a fuller batch, counted from the batch's first item and never extended.
         * A full batch, a flush, a close or somebody who waits for room ends it early.
         *
         * @param linger the time, zero to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder linger(Duration linger) {
            this.linger = Bounds.between("linger", linger, Duration.ZERO, LONGEST);
            return this;
        }

        /**
         * Sets the most items that are accepted and not terminal, in flight included, or terminal until their callbacks
         * have run. An item that was coalesced with others counts as what they are.
         *
         * @param bufferItems the number, 1 to 100,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferItems(int bufferItems) {
            Bounds.between("bufferItems", bufferItems, 1, MOST_ITEMS);
            this.bufferItems = bufferItems;
            return this;
        }

        /**
         * Sets the most bytes of items that are accepted and not terminal, in flight included, or terminal until their
         * callbacks have run. At most an eighth of it is for failures whose results were not taken. The engine also asks for
         * room for one full batch.
         *
         * @param bufferBytes the number, at least 1
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferBytes(long bufferBytes) {
            this.bufferBytes = Bounds.between("bufferBytes", bufferBytes, 1, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets how long {@link Batcher#submit} waits for room.
         *
         * @param submitTimeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder submitTimeout(Duration submitTimeout) {
            this.submitTimeout = Bounds.between("submitTimeout", submitTimeout, SHORTEST, LONGEST);
            return this;
        }

        /**
         * Sets how long an item may wait from its submit until it is sent, the wait for room included. Afterwards it is
         * never sent and fails with an {@link ItemTimeoutException}. What is in flight is not cut short; an item that
         * has to be sent again, because its batch had no effect on it, is not sent after its time. Items that were
         * coalesced have the time of the first.
         *
         * @param itemTimeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder itemTimeout(Duration itemTimeout) {
            this.itemTimeout = Bounds.between("itemTimeout", itemTimeout, SHORTEST, LONGEST);
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
            this.closeTimeout = Bounds.between("closeTimeout", closeTimeout, SHORTEST, LONGEST);
            return this;
        }

        /**
         * Sets whether a queued item and a later one of the same entity become one by
         * {@link BatchDescriptor#coalesce}; both results complete with the outcome of what was sent.
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
         * is dropped keeps its room.
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
         * @throws IllegalArgumentException if {@code itemTimeout} is not longer than {@code linger}
         */
        public BatcherSettings build() {
            if (itemTimeout != null && itemTimeout.compareTo(linger) <= 0) {
                throw new IllegalArgumentException("itemTimeout must be longer than linger, " + linger + ", but was "
                        + itemTimeout + ": what lingers would not be sent");
            }
            return new BatcherSettings(copy());
        }

        private Builder copy() {
            Builder copy = new Builder();
            copy.linger = linger;
            copy.bufferItems = bufferItems;
            copy.bufferBytes = bufferBytes;
            copy.submitTimeout = submitTimeout;
            copy.itemTimeout = itemTimeout;
            copy.closeTimeout = closeTimeout;
            copy.coalesce = coalesce;
            copy.stopEntityOnFailure = stopEntityOnFailure;
            copy.callbacks = callbacks;
            return copy;
        }
    }
}

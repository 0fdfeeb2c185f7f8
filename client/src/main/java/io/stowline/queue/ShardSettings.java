package io.stowline.queue;

import io.stowline.error.internal.SettingRanges;

/**
 * The settings of a sharded queue: how many shards get messages, and how many are received from.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param sendTo how many shards get messages; 0 if it is not set, which no sharded queue accepts
 * @param receiveFrom how many shards messages are received from
 */
public record ShardSettings(int sendTo, int receiveFrom) {

    /** The largest number of queues. */
    public static final int MAX_SHARDS = 128;

    /**
     * Checks the numbers.
     *
     * @param sendTo how many shards get messages, 0 to 128
     * @param receiveFrom how many shards messages are received from, 0 to 128
     */
    public ShardSettings {
        SettingRanges.between("sendTo", sendTo, 0, MAX_SHARDS);
        SettingRanges.between("receiveFrom", receiveFrom, 0, MAX_SHARDS);
    }

    /**
     * Returns a builder whose {@link Builder#sendTo} is to be set.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** The builder of settings. Every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private int sendTo;
        private int receiveFrom;

        private Builder() {}

        /**
         * Sets how many shards get messages. All processes that send must have the same number for messages of one key to be in one shard.
         *
         * @param sendTo 1 to 128; it has to be set
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder sendTo(int sendTo) {
            this.sendTo = SettingRanges.between("sendTo", sendTo, 1, MAX_SHARDS);
            return this;
        }

        /**
         * Sets how many shards messages are received from. To grow, all processes first receive from more shards and then send to them. To shrink,
         * all first send to fewer, and receive from fewer once the others are empty.
         *
         * @param receiveFrom 1 to 128, at least {@code sendTo}, which is the default
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder receiveFrom(int receiveFrom) {
            this.receiveFrom = SettingRanges.between("receiveFrom", receiveFrom, 1, MAX_SHARDS);
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         */
        public ShardSettings build() {
            return new ShardSettings(sendTo, receiveFrom == 0 ? sendTo : receiveFrom);
        }
    }
}

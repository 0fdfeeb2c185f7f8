package io.stowline.queue;

import io.stowline.blob.BlobContainer;
import io.stowline.error.internal.PrintableText;
import io.stowline.error.internal.SettingRanges;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings of a queue's envelopes: type, compression, and the place of large bodies.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param type the {@code type} of the events
 * @param compressAbove the most bytes of a body that is left uncompressed
 * @param maxBody the most bytes of a body before it is compressed
 * @param claimCheck the container of bodies that leave no room in a message; empty if there is none
 */
public record EnvelopeSettings(String type, int compressAbove, int maxBody, Optional<BlobContainer> claimCheck) {

    private static final Pattern TYPE = Pattern.compile("[\\x21-\\x7e]{1,100}");

    /**
     * Checks that all settings are there.
     *
     * @param type the {@code type} of the events
     * @param compressAbove the most bytes of a body that is left uncompressed
     * @param maxBody the most bytes of a body before it is compressed
     * @param claimCheck the container of bodies that leave no room in a message
     */
    public EnvelopeSettings {
        type(type);
        SettingRanges.between("compressAbove", compressAbove, 0, Integer.MAX_VALUE);
        SettingRanges.between("maxBody", maxBody, 1, Integer.MAX_VALUE);
        Objects.requireNonNull(claimCheck, "claimCheck");
    }

    /**
     * Returns a builder with the defaults: no compression and no claim check.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    private static String type(String type) {
        if (!TYPE.matcher(Objects.requireNonNull(type, "type")).matches()) {
            throw new IllegalArgumentException(
                    PrintableText.of("type is 1 to 100 characters of visible ASCII, not " + type));
        }
        return type;
    }

    /** The builder of settings. Every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_BODY = 64 << 20;

        private String type = "io.stowline.message";
        private int compressAbove = Integer.MAX_VALUE;
        private int maxBody = MAX_BODY;
        private Optional<BlobContainer> claimCheck = Optional.empty();

        private Builder() {}

        /**
         * Sets the {@code type} of the events.
         *
         * @param type 1 to 100 characters of visible ASCII; the default is {@code io.stowline.message}
         * @return this builder
         * @throws IllegalArgumentException if it is something else
         */
        public Builder type(String type) {
            this.type = EnvelopeSettings.type(type);
            return this;
        }

        /**
         * Compresses larger bodies by GZIP, if that makes them smaller.
         *
         * @param bytes the most bytes of a body that is left as it is, 0 or more; the default is to compress none
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder compressAbove(int bytes) {
            this.compressAbove = SettingRanges.between("compressAbove", bytes, 0, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Sets the largest body before it is compressed. A larger one is not sent, and one that is received cannot be decoded.
         *
         * @param bytes the most bytes, 1 or more; the default is 64 MiB
         * @return this builder
         * @throws IllegalArgumentException if it is less
         */
        public Builder maxBody(int bytes) {
            this.maxBody = SettingRanges.between("maxBody", bytes, 1, Integer.MAX_VALUE);
            return this;
        }

        /**
         * Has bodies that leave no room in a message, after compression, written to blobs (the claim check pattern). The blob is written before the message
         * and removed after the message is completed or deleted. A copy in the poison queue has another blob. What is left by crashes is
         * removed by {@link MessageQueue#sweepBodies}.
         *
         * <p>A consumer without a claim check gives messages with such bodies back, for 10 seconds each time. Let all receivers have it before the first
         * sender has.
         *
         * @param container where the blobs go, in a folder with the name of the queue; it must exist. Its retry settings and headers hold for the
         *     bodies, with the changes of {@link MessageQueue#withRetry} and {@link MessageQueue#withHeader}, in whatever order they are made
         * @return this builder
         */
        public Builder claimCheck(BlobContainer container) {
            this.claimCheck = Optional.of(container);
            return this;
        }

        /**
         * Returns the settings.
         *
         * @return the settings
         */
        public EnvelopeSettings build() {
            return new EnvelopeSettings(type, compressAbove, maxBody, claimCheck);
        }
    }
}

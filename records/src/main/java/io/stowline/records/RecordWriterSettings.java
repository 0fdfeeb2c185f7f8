package io.stowline.records;

import io.stowline.journal.Journal;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which one {@link RecordWriter} buffers records, cuts them into chunks, and ends.
 *
 * <pre>
 * upTo             16 MiB of records in a chunk, before compression
 * every            5 min, the interval of UTC time that a chunk is for
 * buckets          16 folders below the prefix
 * bufferRecords    1,000,000 records accepted and in no blob, in flight included; with a journal no number
 * bufferBytes      64 MiB of them; with a journal the journal's maxBytes instead
 * submitTimeout    60 s, how long a write waits for room
 * deliveryTimeout  2 min from the end of a chunk, the time in which it must be in its blob; with a journal none
 * closeTimeout     2 min, after which a close leaves what is in the journal and fails the rest
 * appendBlobs      off: each chunk becomes one block blob
 * journal          none: a crash loses what is buffered
 * onFailure        nothing is called
 * callbacks        threads of the library that may block
 * warnAtExit       on
 * </pre>
 *
 * <p>Without a journal a writer takes up to {@code bufferBytes} of memory for records, and while a chunk is sent at most three times
 * {@code upTo} besides. Immutable and thread-safe.
 */
public final class RecordWriterSettings {

    private static final RecordWriterSettings DEFAULTS = builder().build();

    private final Builder given;

    private RecordWriterSettings(Builder given) {
        this.given = given;
    }

    /**
     * Returns the defaults.
     *
     * @return the settings
     */
    public static RecordWriterSettings defaults() {
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
     * Returns the most bytes of records in a chunk, before compression.
     *
     * @return the number of bytes
     */
    public int upTo() {
        return given.upTo;
    }

    /**
     * Returns the interval of UTC time that a chunk is for.
     *
     * @return the length of an interval
     */
    public Duration every() {
        return given.every;
    }

    /**
     * Returns the number of folders below the prefix.
     *
     * @return the number of folders
     */
    public int buckets() {
        return given.buckets;
    }

    /**
     * Returns the most records that are accepted and have no end.
     *
     * @return the number of records, or {@code null} where only their bytes count
     */
    public @Nullable Integer bufferRecords() {
        return given.bufferRecords != null || given.journal != null ? given.bufferRecords : Builder.RECORDS;
    }

    /**
     * Returns the most bytes of records that are accepted and have no end: those of the journal where there is one.
     *
     * @return the number of bytes
     */
    public long bufferBytes() {
        return given.journal == null
                ? given.bufferBytes
                : given.journal.settings().maxBytes();
    }

    /**
     * Returns how long a write waits for room.
     *
     * @return the time
     */
    public Duration submitTimeout() {
        return given.submitTimeout;
    }

    /**
     * Returns the time from its end in which a chunk must be in its blob.
     *
     * @return the time, or {@code null} where there is no such limit
     */
    public @Nullable Duration deliveryTimeout() {
        return given.deliveryTimeout != null || given.journal != null ? given.deliveryTimeout : Builder.DELIVERY;
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
     * Returns the settings of the append blobs that take the chunks.
     *
     * @return the settings, or {@code null} if each chunk is a block blob
     */
    public @Nullable AppendSettings appendBlobs() {
        return given.appendBlobs;
    }

    /**
     * Returns the journal that keeps accepted records until they are in a blob.
     *
     * @return the journal, or {@code null} if records are kept in memory
     */
    public @Nullable Journal journal() {
        return given.journal;
    }

    /**
     * Returns what is called for every chunk that fails.
     *
     * @return the listener, or {@code null} when nothing is called
     */
    public @Nullable Consumer<? super FailedRecords> onFailure() {
        return given.onFailure;
    }

    /**
     * Returns what runs the callbacks.
     *
     * @return the executor, or {@code null} for threads of the library
     */
    public @Nullable Executor callbacks() {
        return given.callbacks;
    }

    /**
     * Returns whether a warning is logged when the process ends while the writer holds records and was not closed.
     *
     * @return true when it is
     */
    public boolean warnAtExit() {
        return given.warnAtExit;
    }

    /** A builder of {@link RecordWriterSettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final int KIB = 1024;
        private static final int MIB = 1024 * KIB;
        private static final Duration SHORTEST = Duration.ofMillis(1);
        private static final Duration DAY = Duration.ofDays(1);
        private static final Integer RECORDS = 1_000_000;
        private static final Duration DELIVERY = Duration.ofMinutes(2);

        private int upTo = 16 * MIB;
        private Duration every = Duration.ofMinutes(5);
        private int buckets = 16;
        private @Nullable Integer bufferRecords;
        private long bufferBytes = 64L * MIB;
        private Duration submitTimeout = Duration.ofSeconds(60);
        private @Nullable Duration deliveryTimeout;
        private Duration closeTimeout = Duration.ofMinutes(2);
        private @Nullable AppendSettings appendBlobs;
        private @Nullable Journal journal;
        private @Nullable Consumer<? super FailedRecords> onFailure;
        private @Nullable Executor callbacks;
        private boolean warnAtExit = true;

        private Builder() {}

        /**
         * Sets the most bytes of records in a chunk, before compression; a record must not be longer. Blobs above 4 MiB travel at the
         * speed of high-throughput block blobs.
         *
         * @param bytes the number, 64 KiB to 64 MiB
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder upTo(int bytes) {
            this.upTo = between("upTo", bytes, 64 * KIB, 64 * MIB);
            return this;
        }

        /**
         * Sets the interval of UTC time that a chunk is for: a chunk ends with its interval, and blobs are found by their intervals.
         *
         * @param interval whole seconds, 1 s to 1 day, of which a whole number makes a day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range, or does not divide a day
         */
        public Builder every(Duration interval) {
            between("every", interval, Duration.ofSeconds(1), DAY);
            if (interval.toNanosPart() != 0 || DAY.toSeconds() % interval.toSeconds() != 0) {
                throw new IllegalArgumentException(
                        "every must be whole seconds that divide a day, such as PT1M, PT5M or PT1H, but was " + interval
                                + ": blobs are found by the begin of their interval");
            }
            this.every = interval;
            return this;
        }

        /**
         * Sets the number of folders below the prefix, over which the blobs are spread by a hash, so that the newest names do not all go to
         * one partition of the service.
         *
         * @param folders the number, 1 to 256
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder buckets(int folders) {
            this.buckets = between("buckets", folders, 1, 256);
            return this;
        }

        /**
         * Sets the most records that are accepted and have no end, in flight included, or failed until their callbacks have run. With a
         * journal only their bytes count unless a number is set here.
         *
         * @param records the number, 1 to 100,000,000
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferRecords(int records) {
            this.bufferRecords = between("bufferRecords", records, 1, 100_000_000);
            return this;
        }

        /**
         * Sets the most bytes of these records, before compression. With a journal it is the journal's {@code maxBytes} that counts.
         *
         * @param bytes the number, at least twice {@code upTo}
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder bufferBytes(long bytes) {
            this.bufferBytes = between("bufferBytes", bytes, 128L * KIB, Long.MAX_VALUE);
            return this;
        }

        /**
         * Sets how long a write waits for room.
         *
         * @param timeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder submitTimeout(Duration timeout) {
            this.submitTimeout = between("submitTimeout", timeout, SHORTEST, DAY);
            return this;
        }

        /**
         * Sets the time in which a chunk must be in its blob, counted from its end, when it takes no more records. After it the chunk fails
         * with the error of its last try. A try that is in flight is not cut short, and a chunk whose turn comes later is tried once. With a
         * journal there is no such limit unless it is set here; what fails then is kept beside the journal.
         *
         * @param timeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder deliveryTimeout(Duration timeout) {
            this.deliveryTimeout = between("deliveryTimeout", timeout, SHORTEST, DAY);
            return this;
        }

        /**
         * Sets how long a close waits for what is buffered.
         *
         * @param timeout the time, 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the time is out of range
         */
        public Builder closeTimeout(Duration timeout) {
            this.closeTimeout = between("closeTimeout", timeout, SHORTEST, DAY);
            return this;
        }

        /**
         * Puts chunks behind each other into append blobs, where readers see them soon: a chunk ends when its linger is over, too.
         *
         * @param settings changes the default settings of append blobs
         * @return this builder
         */
        public Builder appendBlobs(UnaryOperator<AppendSettings.Builder> settings) {
            AppendSettings.Builder changed = settings.apply(AppendSettings.builder());
            this.appendBlobs =
                    Objects.requireNonNull(changed, "settings gave no builder").build();
            return this;
        }

        /**
         * Keeps accepted records in a journal until they are in a blob: a crash loses none of them.
         *
         * @param journal the journal; it serves one writer, and is closed after it
         * @return this builder
         */
        public Builder journal(Journal journal) {
            this.journal = Objects.requireNonNull(journal, "journal");
            return this;
        }

        /**
         * Sets what is called for every chunk that fails, on the callback executor, whether or not the failure is taken. One call runs at a
         * time. What it throws is logged.
         *
         * @param listener gets the records and why they failed
         * @return this builder
         */
        public Builder onFailure(Consumer<? super FailedRecords> listener) {
            this.onFailure = Objects.requireNonNull(listener, "listener");
            return this;
        }

        /**
         * Sets what runs the callbacks of this writer and the signals of its reactive face. It must run each of them: one that is dropped
         * keeps its room.
         *
         * @param executor the executor
         * @return this builder
         */
        public Builder callbacks(Executor executor) {
            this.callbacks = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * Sets whether a warning is logged when the process ends while the writer holds records in memory and was not closed. Nothing is
         * closed then and nothing is waited for. An application that closes its writers in a shutdown hook may turn it off, since hooks run
         * side by side.
         *
         * @param warn true to be warned
         * @return this builder
         */
        public Builder warnAtExit(boolean warn) {
            this.warnAtExit = warn;
            return this;
        }

        /**
         * Builds the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if the buffer, or the journal, has no room for two chunks
         */
        public RecordWriterSettings build() {
            Builder copy = copy();
            long room = journal == null ? bufferBytes : journal.settings().maxBytes();
            if (room < 2L * upTo) {
                String which = journal == null ? "bufferBytes" : "maxBytes of the journal";
                throw new IllegalArgumentException(which + " must be at least twice upTo, " + 2L * upTo
                        + " bytes, but was " + room + ": while one chunk is sent the next one fills. Set a larger "
                        + which + " or a smaller upTo");
            }
            return new RecordWriterSettings(copy);
        }

        private static <V extends Comparable<V>> V between(String name, V value, V min, V max) {
            if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
                throw new IllegalArgumentException(
                        name + " must be between " + min + " and " + max + " but was " + value);
            }
            return value;
        }

        private Builder copy() {
            Builder copy = new Builder();
            copy.upTo = upTo;
            copy.every = every;
            copy.buckets = buckets;
            copy.bufferRecords = bufferRecords;
            copy.bufferBytes = bufferBytes;
            copy.submitTimeout = submitTimeout;
            copy.deliveryTimeout = deliveryTimeout;
            copy.closeTimeout = closeTimeout;
            copy.appendBlobs = appendBlobs;
            copy.journal = journal;
            copy.onFailure = onFailure;
            copy.callbacks = callbacks;
            copy.warnAtExit = warnAtExit;
            return copy;
        }
    }
}

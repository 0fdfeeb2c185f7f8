package io.stowline.records;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The settings of a reader of records.
 *
 * <pre>
 * parallelism       8 folders listed, and blobs opened ahead
 * lateness          1 day
 * mergedBy          no: one blob after the other
 * skipMissing       no: a blob that is deleted before it is read is an error
 * skipOtherFormats  no: a blob whose name ends with another suffix is an error
 * onBlob            no listener
 * polls             1 s to 5 s, of a stream that follows
 * </pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param parallelism how many folders are listed at a time, and how many blobs are opened ahead
 * @param lateness how long after its interval a blob may arrive and is still read after a position
 * @param mergedBy the time of a record, by which the blobs of an interval are merged
 * @param tolerance how far the time of a record may be from the time at which its writer accepted it
 * @param skipMissing whether blobs that are deleted before they are read are passed over
 * @param skipOtherFormats whether blobs whose names end with another suffix are passed over
 * @param onBlob the listener of blobs that have been read
 * @param shortestPoll the wait of a stream that follows, after it has read something
 * @param longestPoll the wait of such a stream after many polls without records
 * @param <T> the records' type
 */
public record RecordReadSettings<T>(
        int parallelism,
        Duration lateness,
        Optional<Function<? super T, Instant>> mergedBy,
        Duration tolerance,
        boolean skipMissing,
        boolean skipOtherFormats,
        Optional<Consumer<? super RecordStream.ReadBlob>> onBlob,
        Duration shortestPoll,
        Duration longestPoll) {

    private static final int MAX_PARALLELISM = 64;
    private static final Duration MAX_LATENESS = Duration.ofDays(366);
    private static final Duration MAX_TOLERANCE = Duration.ofDays(1);
    private static final Duration MIN_POLL = Duration.ofMillis(10);
    private static final Duration MAX_POLL = Duration.ofHours(1);

    /**
     * Checks that all settings are there and in range.
     *
     * @param parallelism how many folders are listed at a time, and how many blobs are opened ahead
     * @param lateness how long after its interval a blob may arrive and is still read after a position
     * @param mergedBy the time of a record, by which the blobs of an interval are merged
     * @param tolerance how far the time of a record may be from the time at which its writer accepted it
     * @param skipMissing whether blobs that are deleted before they are read are passed over
     * @param skipOtherFormats whether blobs whose names end with another suffix are passed over
     * @param onBlob the listener of blobs that have been read
     * @param shortestPoll the wait of a stream that follows, after it has read something
     * @param longestPoll the wait of such a stream after many polls without records
     */
    public RecordReadSettings {
        if (parallelism < 1 || parallelism > MAX_PARALLELISM) {
            throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + parallelism);
        }
        within("lateness", Objects.requireNonNull(lateness, "lateness"), MAX_LATENESS);
        within("tolerance", Objects.requireNonNull(tolerance, "tolerance"), MAX_TOLERANCE);
        Objects.requireNonNull(mergedBy, "mergedBy");
        Objects.requireNonNull(onBlob, "onBlob");
        if (shortestPoll.compareTo(MIN_POLL) < 0
                || longestPoll.compareTo(MAX_POLL) > 0
                || shortestPoll.compareTo(longestPoll) > 0) {
            throw new IllegalArgumentException("polls are " + MIN_POLL + " to " + MAX_POLL
                    + " apart, the shortest wait first, not " + shortestPoll + " to " + longestPoll);
        }
    }

    /**
     * Returns these settings with another listener.
     *
     * @param listener takes a blob behind its last record
     * @return the changed settings
     */
    public RecordReadSettings<T> withOnBlob(Optional<Consumer<? super RecordStream.ReadBlob>> listener) {
        return new RecordReadSettings<>(
                parallelism,
                lateness,
                mergedBy,
                tolerance,
                skipMissing,
                skipOtherFormats,
                listener,
                shortestPoll,
                longestPoll);
    }

    private static void within(String name, Duration duration, Duration max) {
        if (duration.isNegative() || duration.compareTo(max) > 0) {
            throw new IllegalArgumentException(name + " is 0 to " + max + ", not " + duration);
        }
    }

    /**
     * Begins with the defaults.
     *
     * @param <T> the records' type
     * @return a new builder
     */
    public static <T> Builder<T> builder() {
        return new Builder<>();
    }

    /**
     * A builder of {@link RecordReadSettings}. Not thread-safe.
     *
     * @param <T> the records' type
     */
    public static final class Builder<T> {

        private int parallelism = 8;
        private Duration lateness = Duration.ofDays(1);
        private Optional<Function<? super T, Instant>> mergedBy = Optional.empty();
        private Duration tolerance = Duration.ofMinutes(5);
        private boolean skipMissing;
        private boolean skipOtherFormats;
        private Optional<Consumer<? super RecordStream.ReadBlob>> onBlob = Optional.empty();
        private Duration shortestPoll = Duration.ofSeconds(1);
        private Duration longestPoll = Duration.ofSeconds(5);

        private Builder() {}

        /**
         * Sets how many folders are listed at a time, and how many blobs are opened ahead of the reader. Each has up to 4 MiB in memory, as
         * far as other transfers of the client leave it.
         *
         * @param parallelism 1 to 64
         * @return this builder
         */
        public Builder<T> parallelism(int parallelism) {
            this.parallelism = parallelism;
            return this;
        }

        /**
         * Sets how long after its interval a blob may arrive and is still read after a position: as long as a writer may be without its
         * service or its machine. A position has a place for each writer of this time, and its reader lists the folders of it.
         *
         * @param lateness up to 366 days
         * @return this builder
         */
        public Builder<T> lateness(Duration lateness) {
            this.lateness = lateness;
            return this;
        }

        /**
         * Merges the blobs of each interval by a time of the records, and reads of a span exactly the records whose time is in it; see {@link
         * #mergedBy(Function, Duration)}, with a tolerance of 5 min.
         *
         * @param time the time of a record
         * @return this builder
         */
        public Builder<T> mergedBy(Function<? super T, Instant> time) {
            this.mergedBy = Optional.of(time);
            return this;
        }

        /**
         * Merges the blobs of each interval by a time of the records, and reads of a span exactly the records whose time is in it. The
         * records of one writer keep their order. Each writer of an interval has a blob open.
         *
         * @param time the time of a record
         * @param tolerance up to a day: how far this may be from the time at which the writer accepted the record; intervals that are so much
         *     outside the span are read, too
         * @return this builder
         */
        public Builder<T> mergedBy(Function<? super T, Instant> time, Duration tolerance) {
            this.mergedBy = Optional.of(time);
            this.tolerance = tolerance;
            return this;
        }

        /**
         * Passes over blobs that are deleted between their listing and their end. {@link RecordStream#blobs} shows them as missing.
         *
         * @return this builder
         */
        public Builder<T> skipMissing() {
            this.skipMissing = true;
            return this;
        }

        /**
         * Passes over blobs that are named as the library names them, with another suffix than that of the format.
         *
         * @return this builder
         */
        public Builder<T> skipOtherFormats() {
            this.skipOtherFormats = true;
            return this;
        }

        /**
         * Sets a listener of blobs that have been read. It is called by the reader's thread.
         *
         * @param listener takes a blob behind its last record
         * @return this builder
         */
        public Builder<T> onBlob(Consumer<? super RecordStream.ReadBlob> listener) {
            this.onBlob = Optional.of(listener);
            return this;
        }

        /**
         * Sets the waits between the polls of a stream that follows: the shortest one after it has read something, twice as long after each
         * poll without records. A poll lists the folders of the lateness, about 50 requests with 16 buckets and the default lateness: a
         * shorter {@link #lateness} makes it cheaper.
         *
         * @param shortest the first wait, 10 ms or more
         * @param longest the longest wait, up to an hour
         * @return this builder
         */
        public Builder<T> polls(Duration shortest, Duration longest) {
            this.shortestPoll = Objects.requireNonNull(shortest, "shortest");
            this.longestPoll = Objects.requireNonNull(longest, "longest");
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         * @throws IllegalArgumentException if one is out of range
         */
        public RecordReadSettings<T> build() {
            return new RecordReadSettings<>(
                    parallelism,
                    lateness,
                    mergedBy,
                    tolerance,
                    skipMissing,
                    skipOtherFormats,
                    onBlob,
                    shortestPoll,
                    longestPoll);
        }
    }
}

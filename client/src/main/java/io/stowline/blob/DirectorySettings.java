package io.stowline.blob;

import io.stowline.blob.internal.rule.PathFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The settings of a transfer of many blobs: of an upload, a download, a copy or a deletion of a directory.
 *
 * <pre>
 * include      all names
 * exclude      none
 * overwrite    NEVER: what the target has already is skipped
 * compareMd5   no: size and modification time decide what is different
 * collectFailures   no: the first failure ends the transfer
 * mirror       no: the target keeps what the source does not have
 * removeUnfinished  no, but for mirrors: what killed downloads have left stays
 * keepProperties    no: a blob that is replaced has nothing of the earlier one
 * deleteSnapshots   no: a blob with snapshots is not deleted, but skipped
 * failUnreadable    no: a blob that the service does not read is skipped
 * asStored     no: a download expands blobs with the Content-Encoding gzip
 * maxExpansion 200 times the stored bytes beyond 64 MiB, and 64 GiB for a blob
 * dryRun       no
 * streamed     no: the service copies blobs where both sides allow it
 * parallelism  16 blobs, or blocks of large ones, at a time
 * upload       the defaults of {@link UploadSettings}
 * </pre>
 *
 * <p>Patterns stand for names below the directory, with {@code /} between segments: {@code *} and {@code ?} match within a segment,
 * {@code **} matches any number of segments, and <code>{a,b}</code> one of both. {@code **}{@code /*.jpg} matches {@code a.jpg} too.
 *
 * <p>Immutable and safe to share between threads.
 */
public final class DirectorySettings {

    /** The treatment of a blob or file that the target has already. */
    public enum Overwrite {
        /** Skips the blob or file. */
        NEVER,
        /** Replaces the blob or file, whatever it is. */
        ALWAYS,
        /**
         * Replaces the blob or file if it differs from the source in size or modification time, or by {@link Builder#compareMd5}, in the version that was compared:
         * one that changes since is a failure.
         */
        IF_DIFFERENT
    }

    private final List<String> includes;
    private final List<String> excludes;
    private final Overwrite overwrite;
    private final boolean compareMd5;
    private final boolean collectFailures;
    private final boolean mirror;
    private final boolean removeUnfinished;
    private final boolean keepProperties;
    private final boolean deleteSnapshots;
    private final boolean failUnreadable;
    private final boolean asStored;
    private final int maxRatio;
    private final long maxExpanded;
    private final boolean dryRun;
    private final boolean streamed;
    private final int parallelism;
    private final Optional<Consumer<? super TransferProgress>> progress;
    private final Optional<Consumer<? super TransferReport.Item>> items;
    private final BiFunction<String, UploadSettings.Builder, UploadSettings.Builder> upload;

    private DirectorySettings(Builder builder) {
        this.includes = List.copyOf(builder.includes);
        this.excludes = List.copyOf(builder.excludes);
        this.overwrite = builder.overwrite;
        this.compareMd5 = builder.compareMd5;
        this.collectFailures = builder.collectFailures;
        this.mirror = builder.mirror;
        this.removeUnfinished = builder.removeUnfinished;
        this.keepProperties = builder.keepProperties;
        this.deleteSnapshots = builder.deleteSnapshots;
        this.failUnreadable = builder.failUnreadable;
        this.asStored = builder.asStored;
        this.maxRatio = builder.maxRatio;
        this.maxExpanded = builder.maxExpanded;
        this.dryRun = builder.dryRun;
        this.streamed = builder.streamed;
        this.parallelism = builder.parallelism;
        this.progress = builder.progress;
        this.items = builder.items;
        this.upload = builder.upload;
    }

    /**
     * Begins with the defaults.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the patterns of names that take part.
     *
     * @return the patterns; none means all names
     */
    public List<String> includes() {
        return includes;
    }

    /**
     * Returns the patterns of names that take no part.
     *
     * @return the patterns, which are stronger than those of {@link #includes}
     */
    public List<String> excludes() {
        return excludes;
    }

    /**
     * Returns what becomes of what the target has already.
     *
     * @return {@link Overwrite#NEVER} by default
     */
    public Overwrite overwrite() {
        return overwrite;
    }

    /**
     * Returns whether size and MD5, and not the modification time, decide what is different.
     *
     * @return false by default
     */
    public boolean comparesMd5() {
        return compareMd5;
    }

    /**
     * Returns whether the rest goes on after a failure.
     *
     * @return false by default
     */
    public boolean collectsFailures() {
        return collectFailures;
    }

    /**
     * Returns whether the target loses what the source does not have.
     *
     * @return false by default
     */
    public boolean mirror() {
        return mirror;
    }

    /**
     * Returns whether a download removes what killed downloads have left.
     *
     * @return false by default; true for a mirror
     */
    public boolean removesUnfinished() {
        return removeUnfinished || mirror;
    }

    /**
     * Returns whether a blob that is replaced keeps its properties.
     *
     * @return false by default
     */
    public boolean keepsProperties() {
        return keepProperties;
    }

    /**
     * Returns whether a deletion or a mirror deletes the snapshots of the blobs that it deletes.
     *
     * @return false by default
     */
    public boolean deletesSnapshots() {
        return deleteSnapshots;
    }

    /**
     * Returns whether a blob that the service does not read is a failure.
     *
     * @return false by default: it is skipped
     */
    public boolean failsUnreadable() {
        return failUnreadable;
    }

    /**
     * Returns whether a download writes blobs as they are stored.
     *
     * @return false by default: those with the {@code Content-Encoding} {@code gzip} are expanded
     */
    public boolean asStored() {
        return asStored;
    }

    /**
     * Returns how many expanded bytes a stored byte may have, of a blob that a download expands to more than 64 MiB.
     *
     * @return 200 by default
     */
    public int maxRatio() {
        return maxRatio;
    }

    /**
     * Returns the most bytes that a download expands a blob to.
     *
     * @return 64 GiB by default
     */
    public long maxExpanded() {
        return maxExpanded;
    }

    /**
     * Returns whether the transfer only reports what it would do.
     *
     * @return false by default
     */
    public boolean dryRun() {
        return dryRun;
    }

    /**
     * Returns whether all content of a copy travels through this client.
     *
     * @return false by default
     */
    public boolean streamed() {
        return streamed;
    }

    /**
     * Returns how many blobs, or blocks of large ones, are in flight at a time.
     *
     * @return 16 by default
     */
    public int parallelism() {
        return parallelism;
    }

    /**
     * Returns the listener of the progress.
     *
     * @return the listener, if one was set
     */
    public Optional<Consumer<? super TransferProgress>> progress() {
        return progress;
    }

    /**
     * Returns the listener of each blob's end.
     *
     * @return the listener, if one was set
     */
    public Optional<Consumer<? super TransferReport.Item>> items() {
        return items;
    }

    /**
     * Returns how each blob is uploaded or copied.
     *
     * @return the function that changes the settings of the blob of a name
     */
    public BiFunction<String, UploadSettings.Builder, UploadSettings.Builder> upload() {
        return upload;
    }

    /** A builder of {@link DirectorySettings}; every setter checks its value at once. Not thread-safe. */
    public static final class Builder {

        private static final int MAX_PARALLELISM = 256;

        private final List<String> includes = new ArrayList<>();
        private final List<String> excludes = new ArrayList<>();
        private Overwrite overwrite = Overwrite.NEVER;
        private boolean compareMd5;
        private boolean collectFailures;
        private boolean mirror;
        private boolean removeUnfinished;
        private boolean keepProperties;
        private boolean deleteSnapshots;
        private boolean failUnreadable;
        private boolean asStored;
        private int maxRatio = DownloadSettings.defaults().maxRatio();
        private long maxExpanded = DownloadSettings.defaults().maxExpanded();
        private boolean dryRun;
        private boolean streamed;
        private int parallelism = 16;
        private Optional<Consumer<? super TransferProgress>> progress = Optional.empty();
        private Optional<Consumer<? super TransferReport.Item>> items = Optional.empty();
        private BiFunction<String, UploadSettings.Builder, UploadSettings.Builder> upload = (name, with) -> with;

        private Builder() {}

        /**
         * Adds a pattern of names that take part. Without one, all names do.
         *
         * @param glob the pattern, such as {@code **}{@code /*.jpg}
         * @return this builder
         * @throws IllegalArgumentException if the pattern is empty or has an open bracket
         */
        public Builder include(String glob) {
            includes.add(PathFilter.checked(glob));
            return this;
        }

        /**
         * Adds a pattern of names that are neither transferred nor deleted, stronger than {@link #include}.
         *
         * @param glob the pattern, such as {@code tmp/**}
         * @return this builder
         * @throws IllegalArgumentException if the pattern is empty or has an open bracket
         */
        public Builder exclude(String glob) {
            excludes.add(PathFilter.checked(glob));
            return this;
        }

        /**
         * Sets what becomes of what the target has already.
         *
         * @param overwrite the choice
         * @return this builder
         */
        public Builder overwrite(Overwrite overwrite) {
            this.overwrite = Objects.requireNonNull(overwrite, "overwrite");
            return this;
        }

        /**
         * Compares size and MD5 for {@link Overwrite#IF_DIFFERENT}. Local files of equal size are read; a blob without a stored MD5 is different. By
         * default size and modification time are compared, to the millisecond: uploads keep the time of the file in the blob's metadata.
         *
         * @return this builder
         */
        public Builder compareMd5() {
            this.compareMd5 = true;
            return this;
        }

        /**
         * Goes on after a failure; the report lists the failures. By default the first failure of a blob or file cancels the rest, and the
         * transfer fails.
         *
         * @return this builder
         */
        public Builder collectFailures() {
            this.collectFailures = true;
            return this;
        }

        /**
         * Deletes from the target what the source does not have, of the names that the patterns let take part. The source is read once more
         * before each deletion.
         *
         * @return this builder
         */
        public Builder mirror() {
            this.mirror = true;
            return this;
        }

        /**
         * Removes from the target folder, once a download has ended without a failure, the unfinished files of downloads that were killed:
         * those of blobs below the prefix, and others that no download changed for a day. A blob of one range leaves a file that names no blob, and
         * that goes after a day. Only files with names that the library makes are removed, {@code .stowline-} and hexadecimal digits before
         * {@code .part}, {@code .state} or {@code .mode}, and only where {@link #include} and {@link #exclude} let the blob, or the file if its blob is
         * unknown, take part. Files that a download uses stay. Each is an item {@code DELETED} of the report. A {@link #mirror} does the same;
         * uploads, copies and deletions have nothing to remove.
         *
         * @return this builder
         */
        public Builder removeUnfinished() {
            this.removeUnfinished = true;
            return this;
        }

        /**
         * Keeps of each blob that an upload or a copy replaces its headers, its metadata, its tags and its access tier, as far as {@link #upload}
         * sets no others; a copy has the headers and the metadata of its source. They are read before the blob is replaced, its tags
         * too if it has some. By default a blob that is replaced has nothing of the earlier one.
         *
         * @return this builder
         */
        public Builder keepProperties() {
            this.keepProperties = true;
            return this;
        }

        /**
         * Deletes the snapshots of each blob that a deletion or a mirror deletes. By default a blob with snapshots is skipped, with the reason
         * in its {@link TransferReport.Item}. Kept versions stay.
         *
         * @return this builder
         */
        public Builder deleteSnapshots() {
            this.deleteSnapshots = true;
            return this;
        }

        /**
         * Makes a blob that is to be downloaded or copied and that the service does not read a failure: one in the archive tier, the target of a copy that
         * has not ended or has failed, and one encrypted by a key that its writer keeps. By default it is skipped, with the reason in its
         * {@link TransferReport.Item}.
         *
         * @return this builder
         */
        public Builder failUnreadable() {
            this.failUnreadable = true;
            return this;
        }

        /**
         * Writes blobs as they are stored. By default a download expands those with the {@code Content-Encoding} {@code gzip}; see
         * {@link DownloadSettings.Builder#asStored}. Copies keep what is stored in any case, and uploads compress by
         * {@link UploadSettings.Builder#gzip} in {@link #upload}.
         *
         * @return this builder
         */
        public Builder asStored() {
            this.asStored = true;
            return this;
        }

        /**
         * Sets how far a download expands each blob with the {@code Content-Encoding} {@code gzip}; see
         * {@link DownloadSettings.Builder#maxExpansion}.
         *
         * @param ratio how many expanded bytes a stored byte may have, 1 to 1,032
         * @param bytes the most expanded bytes of a blob, not negative
         * @return this builder
         * @throws IllegalArgumentException if one is out of range
         */
        public Builder maxExpansion(int ratio, long bytes) {
            DownloadSettings.expansion(ratio, bytes);
            this.maxRatio = ratio;
            this.maxExpanded = bytes;
            return this;
        }

        /**
         * Reports what the transfer would do, and changes nothing.
         *
         * @return this builder
         */
        public Builder dryRun() {
            this.dryRun = true;
            return this;
        }

        /**
         * Copies all blobs through this client, at a rate that it can see and with a test of each content against its stored MD5. By default the
         * service copies them where both sides allow it, and no content travels through this client.
         *
         * @return this builder
         */
        public Builder streamed() {
            this.streamed = true;
            return this;
        }

        /**
         * Sets how many blobs are in flight at a time. A large blob counts for as many as it has blocks in flight.
         *
         * @param blobs 1 to 256
         * @return this builder
         * @throws IllegalArgumentException if the number is out of range
         */
        public Builder parallelism(int blobs) {
            if (blobs < 1 || blobs > MAX_PARALLELISM) {
                throw new IllegalArgumentException("parallelism is 1 to " + MAX_PARALLELISM + ", not " + blobs);
            }
            this.parallelism = blobs;
            return this;
        }

        /**
         * Sets a listener of the progress. It is called on the callback threads where something moves, at most every 100 ms, and once at the
         * end with the final state: one call at a time. What it throws is contained and logged once.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder progress(Consumer<? super TransferProgress> listener) {
            this.progress = Optional.of(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets a listener of the end of each blob or file, in the order of their ends. It is called on the callback threads, one call at a
         * time, and slows the transfer if it is slow. A failure that ends the transfer ends what is in flight as {@code CANCELLED}: the listener
         * is notified of these, too, before {@link Transfer#join} throws. After {@link Transfer#cancel} it receives the same, for which {@code join}
         * does not wait. What it throws is contained and logged once.
         *
         * @param listener the listener
         * @return this builder
         */
        public Builder eachItem(Consumer<? super TransferReport.Item> listener) {
            this.items = Optional.of(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets how each blob is uploaded or copied. {@link #overwrite} decides on overwriting, whatever is set here. A copy begins with the
         * headers and the metadata of its source, an uploaded file with the content type that the end of its name stands for.
         * {@code upload((name, u) -> u.gzip())} compresses where that helps.
         *
         * @param settings changes the settings of the blob of this name
         * @return this builder
         */
        public Builder upload(BiFunction<String, UploadSettings.Builder, UploadSettings.Builder> settings) {
            this.upload = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Makes the settings.
         *
         * @return the settings
         */
        public DirectorySettings build() {
            return new DirectorySettings(this);
        }
    }
}

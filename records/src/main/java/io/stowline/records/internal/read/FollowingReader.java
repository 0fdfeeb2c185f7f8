package io.stowline.records.internal.read;

import io.stowline.error.StorageUnavailableException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.records.RecordReadSettings;
import io.stowline.records.RecordStream.ReadBlob;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader that goes on until it is closed: one pass after the other, each from where the one before has ended, with a wait between them that
 * grows while there is nothing to read. An outage is waited out like that, too.
 */
public final class FollowingReader<T> implements RecordSequence<T> {

    private static final Logger LOG = LoggerFactory.getLogger(FollowingReader.class);

    private final BiFunction<ReadVector, RecordReadSettings<T>, RecordSequence<T>> passes;
    private final RecordReadSettings<T> settings;
    private final ReadBlobs blobs;
    private final PollPause rest;
    private final CountDownLatch closing = new CountDownLatch(1);
    private ReadVector position;
    private volatile @Nullable RecordSequence<T> pass;
    private Duration wait;
    private boolean isOut;
    private boolean failed;

    /** A wait between two passes. */
    interface PollPause {

        /** Waits until a time is over or the reader is closed. */
        void rest(Duration time, CountDownLatch closing) throws InterruptedException;
    }

    /**
     * A reader, which has not begun.
     *
     * @param passes makes a pass behind a vector
     * @param begin the vector behind which it begins
     */
    public FollowingReader(
            BiFunction<ReadVector, RecordReadSettings<T>, RecordSequence<T>> passes,
            RecordReadSettings<T> settings,
            ReadVector begin) {
        this(passes, settings, begin, (time, closing) -> closing.await(time.toNanos(), TimeUnit.NANOSECONDS));
    }

    FollowingReader(
            BiFunction<ReadVector, RecordReadSettings<T>, RecordSequence<T>> passes,
            RecordReadSettings<T> settings,
            ReadVector begin,
            PollPause rest) {
        this.passes = passes;
        this.blobs = new ReadBlobs(settings.onBlob());
        this.settings = settings.withOnBlob(Optional.of(blobs));
        this.position = begin;
        this.rest = rest;
        this.wait = settings.shortestPoll();
    }

    @Override
    public boolean next() {
        if (failed) {
            throw new IllegalStateException(
                    "the stream of records has failed: go on with another one by follow(format, position())");
        }
        while (!isClosed()) {
            if (moves(present())) {
                return true;
            }
            if (!isClosed()) {
                rest();
            }
        }
        return false;
    }

    private RecordSequence<T> present() {
        RecordSequence<T> present = pass;
        if (present == null) {
            present = passes.apply(position, settings);
            pass = present;
            if (isClosed()) {
                present.close();
            }
        }
        return present;
    }

    private boolean moves(RecordSequence<T> present) {
        try {
            if (present.next()) {
                wait = settings.shortestPoll();
                isOut = false;
                return true;
            }
            isOut = false;
        } catch (StorageUnavailableException e) {
            if (!isOut) {
                LOG.warn("following {} waits for the storage: {}", position.reached(), e.getMessage());
            }
            isOut = true;
        } catch (RuntimeException | Error e) {
            failed = true;
            throw e;
        }
        position = present.position(false);
        pass = null;
        present.close();
        return false;
    }

    private void rest() {
        Duration present = wait;
        Duration longer = wait.multipliedBy(2);
        wait = longer.compareTo(settings.longestPoll()) > 0 ? settings.longestPoll() : longer;
        try {
            rest.rest(present, closing);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the reader was interrupted while it waited for records", e);
        }
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    @Override
    public T record() {
        return Objects.requireNonNull(pass, "there is no record").record();
    }

    @Override
    public ReadVector position(boolean before) {
        RecordSequence<T> present = pass;
        return present == null ? position : present.position(before);
    }

    @Override
    public List<ReadBlob> blobs() {
        return blobs.latest();
    }

    @Override
    public void close() {
        closing.countDown();
        RecordSequence<T> present = pass;
        if (present != null) {
            present.close();
        }
    }
}

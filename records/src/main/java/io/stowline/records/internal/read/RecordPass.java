package io.stowline.records.internal.read;

import io.stowline.blob.BlobContainer;
import io.stowline.records.RecordReadSettings;
import io.stowline.records.RecordStream.ReadBlob;
import io.stowline.records.internal.format.RecordCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.read.ReadVector.SessionPlace;
import io.stowline.records.internal.read.SessionCut.Window;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the records that are there and that a vector has not passed: in the order of intervals, sessions and sequences, or merged by a
 * time within each interval. It lists when it begins, and again, window by window, while it reads.
 */
public final class RecordPass<T> implements RecordSequence<T> {

    /** The blobs of a window: few enough for the memory, and enough for the requests that list it. */
    private static final int WINDOW = 5_000;

    private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);

    private final RecordFolders folders;
    private final RecordCodec<T> codec;
    private final RecordReadSettings<T> settings;
    private final RecordSpan<T> span;
    private final Clock clock;
    private final int window;
    private final AheadBlobs ahead;
    private final ReadBlobs blobs;
    private final Deque<Window> windows = new ArrayDeque<>();
    private final Deque<List<SessionRun<T>>> groups = new ArrayDeque<>();
    private final Map<String, SessionPlace> done = new HashMap<>();
    private ReadVector passed;
    private @Nullable SessionCut cut;
    private volatile @Nullable RunMerge<T> merge;
    private boolean failed;
    private volatile boolean closed;

    /**
     * A pass, which has not begun.
     *
     * @param prefix what all names begin with
     * @param span which records it has
     */
    public RecordPass(
            BlobContainer container,
            String prefix,
            RecordCodec<T> codec,
            RecordReadSettings<T> settings,
            RecordSpan<T> span,
            Clock clock) {
        this(container, prefix, codec, settings, span, clock, WINDOW);
    }

    RecordPass(
            BlobContainer container,
            String prefix,
            RecordCodec<T> codec,
            RecordReadSettings<T> settings,
            RecordSpan<T> span,
            Clock clock,
            int window) {
        BlobNames names = new BlobNames(prefix, 1, codec.suffix());
        this.folders = new RecordFolders(container, names, settings.parallelism(), settings.skipOtherFormats());
        this.codec = codec;
        this.settings = settings;
        this.span = span;
        this.clock = clock;
        this.window = window;
        this.ahead = new AheadBlobs(container, settings.parallelism());
        this.blobs = new ReadBlobs(settings.onBlob());
        this.passed = span.begin();
    }

    @Override
    public boolean next() {
        if (closed) {
            return false;
        }
        if (failed) {
            throw new IllegalStateException(
                    "the stream of records has failed: go on with another one by readAfter(format, position())");
        }
        boolean moved;
        try {
            moved = move();
        } catch (RuntimeException | Error e) {
            failed = true;
            release();
            if (closed) {
                return false;
            }
            throw e;
        }
        if (closed) {
            // Its record is returned to no one, and is behind the position.
            failed = moved;
            release();
        }
        return moved && !closed;
    }

    private boolean move() {
        SessionCut begun = cut;
        if (begun == null) {
            begun = begin();
        }
        while (true) {
            RunMerge<T> present = merge;
            if (present == null) {
                if (!nextGroup(begun)) {
                    return false;
                }
            } else if (!present.next()) {
                done.putAll(present.places(false));
                merge = null;
            } else if (span.has(present.current().record())) {
                return true;
            }
        }
    }

    private SessionCut begin() {
        ReadVector begin = span.begin();
        Instant from = begin.since().isBefore(ReadVector.FIRST.plus(LONGEST_INTERVAL))
                ? ReadVector.FIRST
                : begin.since().minus(LONGEST_INTERVAL);
        SessionCut listed = SessionCut.of(folders, begin, from, span.end(clock.instant()));
        windows.addAll(listed.windows(window));
        cut = listed;
        return listed;
    }

    private boolean nextGroup(SessionCut listed) {
        while (groups.isEmpty()) {
            passed = passed.with(done, clock.instant(), settings.lateness());
            done.clear();
            Window next = windows.poll();
            if (next == null || closed) {
                return false;
            }
            List<RecordBlob> found = new ArrayList<>();
            folders.list(next.from(), next.to(), blob -> {
                if (listed.has(blob) && span.begin().wants(blob)) {
                    found.add(blob);
                }
            });
            WindowOrder order = WindowOrder.of(found, settings.mergedBy().isPresent());
            ahead.plan(order.openings());
            order.groups()
                    .forEach(group -> groups.add(group.stream().map(this::run).toList()));
        }
        merge = new RunMerge<>(Objects.requireNonNull(groups.poll()), settings.mergedBy());
        return true;
    }

    private SessionRun<T> run(List<RecordBlob> ofSession) {
        SessionPlace place = span.begin().places().get(ofSession.get(0).chunk().session());
        return new SessionRun<>(codec, ahead, settings.skipMissing(), blobs, ofSession, place);
    }

    @Override
    public T record() {
        return Objects.requireNonNull(merge, "there is no record").current().record();
    }

    @Override
    public ReadVector position(boolean before) {
        if (span.isFiltered()) {
            throw new IllegalStateException(
                    "a stream that takes the records of a span by their own time has no position,"
                            + " since others of the same blobs are before and behind it: use readAfter(format,"
                            + " RecordPosition.at(from)) and mergedBy(..), and stop at the end of the span");
        }
        Map<String, SessionPlace> places = new HashMap<>(done);
        RunMerge<T> present = merge;
        if (present != null) {
            places.putAll(present.places(before || failed));
        }
        return passed.with(places, clock.instant(), settings.lateness());
    }

    @Override
    public List<ReadBlob> blobs() {
        return blobs.latest();
    }

    private void release() {
        ahead.close();
        folders.close();
        RunMerge<T> present = merge;
        if (present != null) {
            present.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        release();
    }
}

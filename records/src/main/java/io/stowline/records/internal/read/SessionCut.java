package io.stowline.records.internal.read;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last blob of each session that was there when a listing had ended. A listing that begins after that shows all blobs up to these, since a
 * session's blobs appear in the order of their sequence; one listing alone may show a blob and miss its predecessor, which has appeared in a
 * folder that was listed before.
 */
final class SessionCut {

    private final Map<String, Long> last = new HashMap<>();
    private final TreeMap<Instant, Integer> hours = new TreeMap<>();
    private final Instant from;
    private final Instant to;

    private SessionCut(Instant from, Instant to) {
        this.from = from;
        this.to = to;
    }

    /**
     * A part of a span.
     *
     * @param from its begin
     * @param to its end
     */
    record Window(Instant from, Instant to) {}

    /** Lists a span for a vector. */
    static SessionCut of(RecordFolders folders, ReadVector read, Instant from, Instant to) {
        SessionCut cut = new SessionCut(from, to);
        folders.list(from, to, blob -> {
            if (read.wants(blob)) {
                cut.add(blob);
            }
        });
        return cut;
    }

    private void add(RecordBlob blob) {
        last.merge(blob.chunk().session(), blob.chunk().sequence(), Math::max);
        hours.merge(blob.chunk().interval().truncatedTo(ChronoUnit.HOURS), 1, Integer::sum);
    }

    /** Returns whether a blob is not behind the cut. */
    boolean has(RecordBlob blob) {
        Long sequence = last.get(blob.chunk().session());
        return sequence != null && blob.chunk().sequence() <= sequence;
    }

    /**
     * Returns windows that together are the span, in the order of time; none if nothing is before the cut.
     *
     * @param max the blobs from which on a window is not made longer
     */
    List<Window> windows(int max) {
        List<Window> windows = new ArrayList<>();
        Instant begin = from;
        int blobs = 0;
        for (Map.Entry<Instant, Integer> hour : hours.entrySet()) {
            if (blobs > 0 && blobs + hour.getValue() > max && hour.getKey().isAfter(begin)) {
                windows.add(new Window(begin, hour.getKey()));
                begin = hour.getKey();
                blobs = 0;
            }
            blobs += hour.getValue();
        }
        if (blobs > 0) {
            windows.add(new Window(begin, to));
        }
        return windows;
    }
}

package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adds up the ends of a transfer's blobs. Thread-safe. */
final class TransferTally {

    private final Map<Action, Long> counts = new EnumMap<>(Action.class);
    private final List<Item> failures = new ArrayList<>();
    private long bytes;
    private long inFlight;

    /** This many blobs may be changed from now on. */
    synchronized void begun(int blobs) {
        inFlight += blobs;
    }

    /** The end of a blob is known: nothing if there was nothing to do, or if the transfer ends with it. */
    synchronized void ended(@Nullable Item item, int begun) {
        inFlight -= begun;
        if (item == null) {
            return;
        }
        counts.merge(item.action(), 1L, Long::sum);
        bytes += item.bytes();
        if (item.action() == Action.FAILED && failures.size() < TransferReport.MAX_FAILURES) {
            failures.add(item);
        }
    }

    synchronized boolean failed() {
        return count(Action.FAILED) > 0;
    }

    synchronized TransferReport report(Duration elapsed) {
        return new TransferReport(
                count(Action.TRANSFERRED),
                count(Action.UNCHANGED),
                count(Action.SKIPPED),
                count(Action.DELETED),
                count(Action.FAILED),
                inFlight,
                failures,
                bytes,
                elapsed);
    }

    private long count(Action action) {
        return counts.getOrDefault(action, 0L);
    }
}

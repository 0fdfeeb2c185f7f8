package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Adds up the ends of a transfer's blobs. Thread-safe. */
final class TransferTally {

    private final Map<Action, Long> counts = new EnumMap<>(Action.class);
    private final List<Item> failures = new ArrayList<>();
    private long bytes;

    synchronized void add(Item item) {
        counts.merge(item.action(), 1L, Long::sum);
        bytes += item.bytes();
        if (item.action() == Action.FAILED && failures.size() < TransferReport.MAX_FAILURES) {
            failures.add(item);
        }
    }

    synchronized TransferReport report(Duration elapsed) {
        return new TransferReport(
                count(Action.TRANSFERRED),
                count(Action.UNCHANGED),
                count(Action.SKIPPED),
                count(Action.DELETED),
                count(Action.FAILED),
                failures,
                bytes,
                elapsed);
    }

    private long count(Action action) {
        return counts.getOrDefault(action, 0L);
    }
}

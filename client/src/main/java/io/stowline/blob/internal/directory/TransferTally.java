package io.stowline.blob.internal.directory;

import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** A tally that adds up the ends of a transfer's blobs. Thread-safe. */
final class TransferTally {

    private final Map<Action, Long> counts = new EnumMap<>(Action.class);
    private final List<Item> failures = new ArrayList<>();
    private long bytes;
    private final Set<String> inFlight = new HashSet<>();

    /** Known ends of blobs in flight, before the others of their group. */
    private final Map<String, Item> known = new HashMap<>();

    private boolean over;

    /**
     * Runs work that may change blobs from its beginning on, unless the transfer is over: a cancellation reaches one blob after the
     * other, and each that ends by it makes room for one that waits.
     *
     * @param names the blobs
     */
    <T> Mono<T> unlessOver(Supplier<List<String>> names, Mono<T> work) {
        return Mono.defer(() -> begins(names.get()) ? work : Mono.empty());
    }

    private synchronized boolean begins(Collection<String> names) {
        if (!over) {
            inFlight.addAll(names);
        }
        return !over;
    }

    /** Removes names that have begun and need no work. */
    synchronized void dropped(Collection<String> names) {
        if (!over) {
            names.forEach(this::landed);
        }
    }

    private void landed(String name) {
        inFlight.remove(name);
        known.remove(name);
    }

    /**
     * Notes the end of a blob in flight, which counts if the transfer is over before its group has ended. A failure does not: it may be that of
     * the transfer's end.
     */
    synchronized void known(Item item) {
        if (!over && item.action() != Action.FAILED && inFlight.contains(item.name())) {
            known.put(item.name(), item);
        }
    }

    /**
     * Counts the end of a blob; returns whether the transfer still counts it.
     *
     * @return whether it counts: not once the transfer is over
     */
    synchronized boolean ended(Item item) {
        if (over) {
            return false;
        }
        landed(item.name());
        counts.merge(item.action(), 1L, Long::sum);
        bytes += item.bytes();
        if (item.action() == Action.FAILED && failures.size() < TransferReport.MAX_FAILURES) {
            failures.add(item);
        }
        return true;
    }

    /**
     * Ends the transfer; returns the ends of the blobs in flight.
     *
     * @param why the failure that cancels what is in flight
     * @return the ends of blobs that were in flight: of those that stay so as of those whose ends are known
     */
    synchronized List<Item> over(Throwable why) {
        List<Item> ends = new ArrayList<>(List.copyOf(known.values()));
        ends.forEach(this::ended);
        over = true;
        inFlight.forEach(name -> ends.add(new Item(name, Action.CANCELLED, 0, why)));
        return ends;
    }

    synchronized boolean failed() {
        return count(Action.FAILED) > 0;
    }

    synchronized TransferReport report(Duration elapsed) {
        return new TransferReport(
                count(Action.TRANSFERRED) + count(Action.COPIED),
                count(Action.COPIED),
                count(Action.UNCHANGED),
                count(Action.SKIPPED),
                count(Action.DELETED),
                count(Action.FAILED),
                inFlight.size(),
                failures,
                bytes,
                elapsed);
    }

    private long count(Action action) {
        return counts.getOrDefault(action, 0L);
    }
}

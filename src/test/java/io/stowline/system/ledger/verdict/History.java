package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Etags;
import io.stowline.system.ledger.script.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The states of one entity with their times: the order of its writes that agrees with their times, with the states that
 * each of them needed to find, and with the state at the end.
 */
final class History {

    /** The bound of the search for an order: on a busy machine all writes of an entity may overlap. */
    private static final int STATES = 20_000;

    /** Neither an order nor a proof that there is none. */
    static final History UNDECIDED = new History(List.of());

    private final List<Version> versions;

    private History(List<Version> versions) {
        this.versions = versions;
    }

    /**
     * A write that the service carried out.
     *
     * @param change what it did
     * @param etag the version that it left, empty after a deletion
     * @param begin the earliest time at which it was carried out
     * @param end the latest
     */
    record Event(Change change, String etag, long begin, long end) {}

    /**
     * A state of the entity.
     *
     * @param row what it held, or {@code null} while there was none
     * @param etag its version
     * @param from the earliest time at which it was so
     * @param made the latest time at which it began to be so
     * @param to the latest time at which it was so
     */
    record Version(@Nullable Row row, String etag, long from, long made, long to) {

        /** Returns whether this version came later in any order of concurrent writes. */
        boolean isAfter(Version other) {
            return from > other.made;
        }

        boolean overlaps(long start, long end) {
            return from <= end && to >= start;
        }
    }

    /** Finds an order; {@code null} if none explains what is there, {@link #UNDECIDED} if there are too many to try. */
    static @Nullable History of(List<Event> events, @Nullable Row last) {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::begin));
        List<Event> order = new ArrayList<>();
        Search search = new Search(sorted, last);
        if (search.from(order, null, "")) {
            return new History(versions(order));
        }
        return search.isGivenUp() ? UNDECIDED : null;
    }

    private static List<Version> versions(List<Event> order) {
        List<Version> versions = new ArrayList<>();
        Row row = null;
        String etag = "";
        long from = Long.MIN_VALUE;
        long made = Long.MIN_VALUE;
        for (Event event : order) {
            versions.add(new Version(row, etag, from, made, event.end()));
            row = after(row, event);
            etag = event.etag();
            from = event.begin();
            made = event.end();
        }
        versions.add(new Version(row, etag, from, made, Long.MAX_VALUE));
        return versions;
    }

    private static @Nullable Row after(@Nullable Row row, Event event) {
        return event.change().verb().isDelete() ? null : (row == null ? Row.none() : row).after(event.change());
    }

    boolean absentDuring(long start, long end) {
        return versions.stream().anyMatch(version -> version.row() == null && version.overlaps(start, end));
    }

    boolean shownDuring(Change change, long start, long end) {
        return versions.stream()
                .anyMatch(version -> version.overlaps(start, end)
                        && version.row() != null
                        && version.row().shows(change));
    }

    /** Returns whether a version with the wanted content ever existed. */
    boolean shownAs(Change change, String etag) {
        return versions.stream()
                .anyMatch(version -> version.row() != null
                        && Etags.same(version.etag(), etag)
                        && version.row().shows(change));
    }

    List<Version> versions() {
        return versions;
    }

    /** Tries orders, the earliest begun first; what was tried in vain is not tried again. */
    private static final class Search {

        private final List<Event> events;
        private final @Nullable Row last;
        private final Set<Tried> vain = new HashSet<>();

        /** Another order of the same may leave another state. */
        private record Tried(Set<Event> done, @Nullable Row row, String etag) {}

        Search(List<Event> events, @Nullable Row last) {
            this.events = events;
            this.last = last;
        }

        boolean isGivenUp() {
            return vain.size() >= STATES;
        }

        boolean from(List<Event> order, @Nullable Row row, String etag) {
            if (order.size() == events.size()) {
                return last == null ? row == null : last.equals(row);
            }
            Set<Event> done = new HashSet<>(order);
            for (Event next : events) {
                if (!isGivenUp() && !done.contains(next) && isFirst(next, done) && fits(next, row, etag)) {
                    order.add(next);
                    Tried tried = new Tried(new HashSet<>(order), after(row, next), next.etag());
                    if (vain.add(tried) && from(order, tried.row(), next.etag())) {
                        return true;
                    }
                    order.remove(order.size() - 1);
                }
            }
            return false;
        }

        private boolean isFirst(Event next, Set<Event> done) {
            return events.stream().noneMatch(other -> !done.contains(other) && other.end() < next.begin());
        }

        private static boolean fits(Event next, @Nullable Row row, String etag) {
            return switch (next.change().verb()) {
                case INSERT -> row == null;
                case DELETE -> row != null;
                case UPDATE, MERGE, DELETE_VERSION ->
                    row != null && Etags.same(next.change().ifMatch(), etag);
                case REPLACE_ANY, MERGE_ANY -> true;
            };
        }
    }
}

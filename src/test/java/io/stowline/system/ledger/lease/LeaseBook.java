package io.stowline.system.ledger.lease;

import java.util.ArrayList;
import java.util.List;

/** The book of what the workers of a seed report. Thread-safe. */
final class LeaseBook {

    private final List<LeaseCase> cases = new ArrayList<>();
    private final List<Holding> holdings = new ArrayList<>();

    /**
     * The time in which a worker certainly took a lease or a term for its own.
     *
     * @param term the number of the term, or 0 for a lease
     */
    record Holding(int worker, String resource, long term, long from, long to) {

        boolean overlaps(Holding other) {
            return resource.equals(other.resource) && from < other.to && other.from < to;
        }
    }

    synchronized void add(LeaseCase one) {
        cases.add(one);
    }

    synchronized void add(Holding holding) {
        holdings.add(holding);
    }

    synchronized List<LeaseCase> cases() {
        return List.copyOf(cases);
    }

    synchronized List<Holding> holdings() {
        return List.copyOf(holdings);
    }
}

package io.stowline.system.ledger.lease;

import io.stowline.system.ledger.script.ReportedResult.Sort;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of one seed.
 *
 * @param reports how often each result was reported, by kind
 * @param terms how many terms began
 * @param late how many requests reached the service after their horizon, on a slow machine
 * @param violations wrong reports with their stories
 */
record LeasePage(
        long seed,
        Map<LeaseKind, Map<Sort, Integer>> reports,
        long terms,
        int late,
        Map<String, Integer> faults,
        List<String> violations) {

    static LeasePage of(long seed, LeaseBook book, int late, Map<String, Integer> faults, List<String> violations) {
        Map<LeaseKind, Map<Sort, Integer>> reports = new EnumMap<>(LeaseKind.class);
        book.cases().forEach(one -> reports.computeIfAbsent(one.kind(), first -> new EnumMap<>(Sort.class))
                .merge(one.reported().sort(), 1, Integer::sum));
        long terms =
                book.holdings().stream().filter(holding -> holding.term() > 0).count();
        return new LeasePage(seed, reports, terms, late, new TreeMap<>(faults), violations);
    }

    int reports(LeaseKind kind, Sort sort) {
        return reports.getOrDefault(kind, Map.of()).getOrDefault(sort, 0);
    }

    /** Returns one line. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + reports + ", " + terms + " terms, " + late + " late, faults " + faults
                + ", violations " + violations.size();
    }
}

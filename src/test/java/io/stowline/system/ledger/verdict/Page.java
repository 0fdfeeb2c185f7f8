package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The result of one seed. Immutable.
 *
 * @param seed the seed
 * @param faults what was done to requests and clients, and how often
 * @param beyond how many operations the service carried out later than anybody could have promised; their refusals are not counted as wrong
 * @param undecided of how many entities the order of their writes was not found among those that were tried
 * @param reported how many operations ended in each way
 * @param unknown what was reported about those with an unknown outcome, and how often
 * @param kinds figures of each kind of operation
 * @param violations wrong results with their whole story, and states that no result explains
 */
public record Page(
        long seed,
        Map<String, Integer> faults,
        int beyond,
        int undecided,
        Map<String, Integer> reported,
        Map<String, Integer> unknown,
        Map<String, Figures> kinds,
        List<String> violations) {

    /**
     * Copies its arguments.
     *
     * @param seed the seed
     * @param faults what was done to requests and clients, and how often
     * @param beyond how many operations the service carried out too late
     * @param undecided of how many entities no order was found
     * @param reported how many operations ended in each way
     * @param unknown what was reported about unknown ones
     * @param kinds figures of each kind of operation
     * @param violations wrong results
     */
    public Page {
        faults = new TreeMap<>(faults);
        reported = new TreeMap<>(reported);
        unknown = new TreeMap<>(unknown);
        kinds = new TreeMap<>(kinds);
        violations = List.copyOf(violations);
    }

    /**
     * Figures of one kind of operation.
     *
     * @param operations their number
     * @param unknown those with an unknown outcome
     * @param wrong those with a wrong result
     * @param twice those carried out more than once without a report of it
     */
    public record Figures(int operations, int unknown, int wrong, int twice) {

        public static final Figures NONE = new Figures(0, 0, 0, 0);

        public Figures plus(Figures more) {
            return new Figures(
                    operations + more.operations, unknown + more.unknown, wrong + more.wrong, twice + more.twice);
        }
    }

    public static Page of(long seed, Facts sourceVersion, Map<String, Integer> faults) {
        SeedFacts books = new SeedFacts(sourceVersion);
        List<Violation> violations = new ArrayList<>();
        for (Check check : List.of(
                new ResultReports(), new Owners(), new LaneOrder(), new Stores(), new Reads(), new IndexRows())) {
            check.of(books, violations::add);
        }
        int beyond =
                (int) sourceVersion.cases().stream().filter(books::isBeyond).count();
        Map<String, Integer> reported = new TreeMap<>();
        Map<String, Integer> unknown = new TreeMap<>();
        for (Case one : sourceVersion.cases()) {
            reported.merge(one.reported().sort().toString(), 1, Integer::sum);
            if (one.reported().sort() == ReportedResult.Sort.UNKNOWN) {
                unknown.merge(reason(one.reported().text()), 1, Integer::sum);
            }
        }
        return new Page(
                seed,
                faults,
                beyond,
                books.undecided(),
                reported,
                unknown,
                kinds(sourceVersion, violations),
                violations.stream().map(Violation::toString).toList());
    }

    private static Map<String, Figures> kinds(Facts sourceVersion, List<Violation> violations) {
        Map<Kind, Figures> kinds = new EnumMap<>(Kind.class);
        for (Case one : sourceVersion.cases()) {
            int open = one.reported().sort() == ReportedResult.Sort.UNKNOWN ? 1 : 0;
            kinds.merge(one.op().kind(), new Figures(1, open, 0, 0), Figures::plus);
        }
        for (Violation violation : violations) {
            if (violation.kind() != null) {
                int twice = violation.rule() == Violation.Rule.APPLIED_TWICE_UNREPORTED ? 1 : 0;
                kinds.merge(violation.kind(), new Figures(0, 0, 1 - twice, twice), Figures::plus);
            }
        }
        return kinds.entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().toString(), Map.Entry::getValue));
    }

    /** Drops the parts that differ from call to call. */
    private static String reason(String text) {
        String plain = text.replaceAll("[0-9]+", "n");
        int end = plain.indexOf(": ");
        return end < 0 ? plain : plain.substring(0, end);
    }

    /**
     * Returns the number of operations.
     *
     * @return a number
     */
    public int operations() {
        return reported.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns one line. */
    @Override
    public String toString() {
        return "seed " + seed + ": " + operations() + " operations, faults " + faults + ", told " + reported
                + (beyond == 0 ? "" : ", carried out too late " + beyond)
                + (undecided == 0 ? "" : ", undecided entities " + undecided)
                + ", unknown " + unknown + ", violations " + violations.size();
    }
}

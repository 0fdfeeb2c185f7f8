package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.QueryTraffic;
import io.stowline.advisor.internal.evidence.ShapeTally;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The rules of practices that concern queries of tables. */
final class QueryRules {

    private static final String SCAN = "table-scan";
    private static final String POINT = "point";

    /** A density of fewer entities may be chance. */
    private static final int MIN_SCANNED = 1_000;

    /** A single scan is no habit. */
    private static final int MIN_QUERIES = 5;

    private static final double SECONDS_PER_MINUTE = 60;
    private static final QueryTraffic NO_QUERY = new QueryTraffic("", "", Map.of());

    private QueryRules() {}

    /** Judges T7. */
    static Judgement classes(Snapshot traffic, Levels levels) {
        long all = queries(traffic, "");
        Judgement.Builder judgement = levels.judge(all, MIN_QUERIES);
        traffic.queries().stream()
                .filter(one -> one.queryClass().equals(SCAN) || one.queryClass().equals(POINT))
                .limit(5)
                .forEach(one -> judgement.object(named(one)));
        return judgement
                .over(
                        Threshold.TABLE_SCANS,
                        "queries that scan a table, and a thousand entities in the window",
                        largeScans(traffic) * SECONDS_PER_MINUTE / traffic.seconds(),
                        ADVICE,
                        "Queries without a partition key scan whole tables.")
                .over(
                        Threshold.POINT_QUERIES,
                        "queries for one entity by both keys",
                        all == 0 ? 0 : 100.0 * queries(traffic, POINT) / all,
                        ADVICE,
                        "Queries fetch single entities by both keys, which a find does with one cheaper request.")
                .build("Queries search by keys.");
    }

    private static long queries(Snapshot traffic, String queryClass) {
        return traffic.queries().stream()
                .filter(one -> queryClass.isEmpty() || one.queryClass().equals(queryClass))
                .mapToLong(QueryTraffic::queries)
                .sum();
    }

    /** Scans of small tables cost little. */
    private static long largeScans(Snapshot traffic) {
        return traffic.queries().stream()
                .filter(one -> one.queryClass().equals(SCAN) && one.count(ShapeTally.SCANNED) >= MIN_SCANNED)
                .mapToLong(QueryTraffic::queries)
                .sum();
    }

    private static String named(QueryTraffic query) {
        return Judgement.text(
                "%s (%s): %,d queries, %,d returned of %,d scanned, %,d pages, %,d empty",
                query.text(),
                query.queryClass(),
                query.queries(),
                query.count(ShapeTally.RETURNED),
                query.count(ShapeTally.SCANNED),
                query.count(ShapeTally.PAGES),
                query.count(ShapeTally.EMPTY));
    }

    private static QueryTraffic sparsest(Snapshot traffic) {
        List<QueryTraffic> scanning = traffic.queries().stream()
                .filter(one -> one.count(ShapeTally.SCANNED) >= MIN_SCANNED)
                .toList();
        return scanning.stream()
                .min(Comparator.comparingDouble(QueryTraffic::density))
                .or(() -> traffic.queries().stream().findFirst())
                .orElse(NO_QUERY);
    }

    /** Judges T8. */
    static Judgement density(Snapshot traffic, Levels levels) {
        QueryTraffic query = sparsest(traffic);
        return levels.judge(query.count(ShapeTally.SCANNED), MIN_SCANNED)
                .object(named(query))
                .under(
                        Threshold.DENSITY,
                        "entities returned of those scanned",
                        query.density(),
                        query.queries() >= MIN_QUERIES,
                        ADVICE,
                        "A query pays for a hundred entities and more for each one that it gets.")
                .over(
                        Threshold.EMPTY_PAGES,
                        "pages without an entity",
                        traffic.count(Tally.PAGES) < levels.settings().minSamples()
                                ? 0
                                : traffic.share(Tally.EMPTY_PAGES, Tally.PAGES, 100),
                        ADVICE,
                        "Many pages of queries are empty: they scan in vain.")
                .build("Queries get a fair share of what they scan.");
    }

    /** Judges T10. */
    static Judgement projection(Snapshot traffic, Levels levels) {
        long rows = traffic.count(Tally.ROWS);
        return levels.judge(rows)
                .overBoth(
                        Threshold.WIDE_ROWS,
                        "rows that came with all properties, or more than their type has",
                        traffic.share(Tally.WIDE_ROWS, Tally.ROWS, 100),
                        Threshold.ROW_BYTES,
                        "size of a row",
                        rows == 0 ? 0 : (double) traffic.count(Tally.ROW_BYTES) / rows,
                        ADVICE,
                        "Queries fetch whole rows, and rows are large.")
                .build("Queries fetch the properties of their types, or rows are small.");
    }

    /** Judges T11. */
    static Judgement indexes(Snapshot traffic, Levels levels) {
        QueryTraffic query = sparsest(traffic);
        double perMinute = query.queries() * SECONDS_PER_MINUTE / traffic.seconds();
        boolean often = levels.isOver(Threshold.SPARSE_QUERIES, perMinute, ADVICE);
        return levels.judge(query.count(ShapeTally.SCANNED), MIN_SCANNED)
                .object(named(query))
                .figure("such queries in a minute", perMinute, Threshold.SPARSE_QUERIES.unit())
                .under(
                        Threshold.DENSITY,
                        "entities returned of those scanned",
                        query.density(),
                        often && query.queries() >= MIN_QUERIES,
                        ADVICE,
                        "The same search scans again and again for few entities: they lack a row under the key that"
                                + " they are found by.")
                .build("Frequent searches find their entities by keys.");
    }

    /** Judges T16. */
    static Judgement continuations(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.PAGES), 1)
                .figure(
                        "pages with a continuation, which were followed on demand",
                        traffic.count(Tally.CONTINUED_PAGES),
                        "pages")
                .figure("pages without an entity", traffic.count(Tally.EMPTY_PAGES), "pages")
                .build("The client follows continuations, empty pages too.");
    }
}

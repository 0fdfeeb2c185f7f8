package io.stowline.benchmarks.scale;

import io.stowline.benchmarks.scale.ScaleResult.ResultPart;
import io.stowline.benchmarks.scale.ScaleResults.ClientCount;
import io.stowline.benchmarks.scale.ScaleResults.RefusalCost;
import io.stowline.benchmarks.scale.model.ComparedPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of the simulator as Markdown: the page with all figures, and the tables of the guide. */
final class ScaleTables {

    private static final String INTRODUCTION = """
        # Figures of the simulator

        `io.stowline.benchmarks.scale.ScaleReport` has made this page: `run` simulates and `draw` writes tables and pictures. The guide \
        [From one process to 100 accounts](../docs/scale.md) explains the model, and what it leaves out. All figures are of virtual time, \
        and of one seed.

        ```sh
        mvn -B -ntp -P benchmarks -pl benchmarks -am package -DskipTests
        java -cp 'benchmarks/target/*:benchmarks/target/lib/*' io.stowline.benchmarks.scale.ScaleReport run .
        ```

        An operation is a transaction of 100 entities. An account has 40 clients. *Requests* are those for each operation that succeeded, \
        *throttled* is the share of them that the service refused, *failed* the share of operations, *fairness* Jain's index over the \
        clients. Latencies are of successes, waiting in the client and retries included.
        """;

    private static final String OUTAGES = """
        A region of 10 accounts with 70 % of its target. The figures are of the time from the beginning of the outage to seven minutes \
        after its end.\
        """;

    private static final String RAMPS = """
        From 800 to 16,000 entities a second. The account has one partition server at first, and its ranges split.\
        """;

    private static final String TENANTS = """
        100 tenants for each account, with log-normal loads; on average an account has 60 % of its target. The policy is that of calls.\
        """;

    private final ScaleResults results;

    private ScaleTables(ScaleResults results) {
        this.results = results;
    }

    static String page(ScaleResults results) {
        ScaleTables tables = new ScaleTables(results);
        return Stream.of(
                        INTRODUCTION,
                        section(
                                "Steady load",
                                "50 % and 90 % of the target: 250 accounts with 10,000 clients. 150 %: 4 accounts.",
                                tables.steady()),
                        section("Outages", OUTAGES, tables.outage(ScaleScenario.FAILING_OUTAGE)),
                        tables.outage(ScaleScenario.SILENT_OUTAGE),
                        section(
                                "One hot partition",
                                "6,000 entities a second are wanted of one partition, and 8,000 of the 63 others.",
                                tables.hotPartition()),
                        section("Ramps", RAMPS, tables.ramp(ScaleScenario.RAMP)),
                        tables.ramp(ScaleScenario.SLOW_RAMP),
                        section(
                                "Single entities",
                                "150 % of the target of one account, with one entity in an operation.",
                                tables.singles()),
                        section(
                                "Number of clients",
                                "150 % of the target; the clients of an account share the load.",
                                clients(results)),
                        section(
                                "Cost of a refusal",
                                "The assumption that matters: the work of a refusal, as a share of a request's.",
                                tables.refusals()),
                        section("Growth", TENANTS, growth(results)))
                .collect(Collectors.joining("\n"));
    }

    private static String section(String title, String text, String table) {
        return String.join("\n", "## " + title, "", text, "", table);
    }

    /** Returns the table of both outages for the guide. */
    static String storms(ScaleResults results) {
        ScaleTables tables = new ScaleTables(results);
        return tables.byPolicy(
                List.of(
                        "policy",
                        "500: in the outage",
                        "after it",
                        "back after",
                        "failed",
                        "silent: after it",
                        "back after",
                        "failed"),
                List.of(ComparedPolicy.values()),
                policy -> {
                    ScaleResult failing = tables.all(ScaleScenario.FAILING_OUTAGE, policy);
                    ScaleResult silent = tables.all(ScaleScenario.SILENT_OUTAGE, policy);
                    return List.of(
                            FigureTable.times(failing.peakDuring()),
                            FigureTable.times(failing.peakAfter()),
                            FigureTable.back(failing),
                            FigureTable.percent(failing.failedShare()),
                            FigureTable.times(silent.peakAfter()),
                            FigureTable.back(silent),
                            FigureTable.percent(silent.failedShare()));
                });
    }

    /** Returns the table of the growth for the guide. */
    static String growth(ScaleResults results) {
        return FigureTable.of(
                List.of("accounts", "tenants", "moved", "ideal", "fullest account", "entities/s", "throttled", "p99"),
                results.growth().stream()
                        .map(step -> List.of(
                                Integer.toString(step.accounts()),
                                FigureTable.number("%,d", step.tenants()),
                                FigureTable.percent(step.movedShare()),
                                FigureTable.percent(step.idealShare()),
                                FigureTable.number("%.0f %%", 100 * step.fullest()),
                                FigureTable.number("%,.0f", step.goodput()),
                                FigureTable.percent(step.throttledShare()),
                                FigureTable.seconds(step.tailMillis()))));
    }

    /** Returns the table of the number of clients for the guide. */
    static String clients(ScaleResults results) {
        List<ComparedPolicy> policies =
                results.clients().stream().map(ClientCount::policy).distinct().toList();
        List<Integer> counts =
                results.clients().stream().map(ClientCount::clients).distinct().toList();
        List<String> head = Stream.concat(
                        Stream.of("throttled, with clients of an account:"),
                        counts.stream().map(String::valueOf))
                .toList();
        return FigureTable.of(head, policies.stream().map(policy -> Stream.concat(
                        Stream.of(policy.title()),
                        results.clients().stream()
                                .filter(each -> each.policy() == policy)
                                .map(each -> FigureTable.percent(each.throttledShare())))
                .toList()));
    }

    private String steady() {
        return byPolicy(
                List.of(
                        "policy",
                        "p99 at 50 %",
                        "p99 at 90 %",
                        "throttled",
                        "150 %: goodput/s",
                        "throttled",
                        "requests",
                        "failed",
                        "fairness",
                        "p50",
                        "p99"),
                List.of(ComparedPolicy.values()),
                policy -> {
                    ScaleResult half = all(ScaleScenario.HALF, policy);
                    ScaleResult busy = all(ScaleScenario.BUSY, policy);
                    ScaleResult over = all(ScaleScenario.OVERLOAD, policy);
                    return List.of(
                            FigureTable.seconds(half.tailMillis()),
                            FigureTable.seconds(busy.tailMillis()),
                            FigureTable.percent(busy.throttledShare()),
                            FigureTable.number("%,.0f", over.goodput()),
                            FigureTable.percent(over.throttledShare()),
                            FigureTable.ofSuccesses(over, FigureTable.number("%,.2f", over.amplification())),
                            FigureTable.percent(over.failedShare()),
                            FigureTable.ofSuccesses(over, FigureTable.number("%.3f", over.fairness())),
                            FigureTable.ofSuccesses(over, FigureTable.seconds(over.medianMillis())),
                            FigureTable.ofSuccesses(over, FigureTable.seconds(over.tailMillis())));
                });
    }

    private String outage(ScaleScenario scenario) {
        return titled(
                scenario,
                byPolicy(
                        List.of(
                                "policy",
                                "highest in it",
                                "highest after it",
                                "95 % back after",
                                "requests",
                                "throttled",
                                "failed",
                                "p99"),
                        List.of(ComparedPolicy.values()),
                        policy -> {
                            ScaleResult result = all(scenario, policy);
                            return List.of(
                                    FigureTable.times(result.peakDuring()),
                                    FigureTable.times(result.peakAfter()),
                                    FigureTable.back(result),
                                    FigureTable.number("%,.2f", result.amplification()),
                                    FigureTable.percent(result.throttledShare()),
                                    FigureTable.percent(result.failedShare()),
                                    FigureTable.seconds(result.tailMillis()));
                        }));
    }

    private static String titled(ScaleScenario scenario, String table) {
        return String.join("\n", "**" + scenario.title() + "**", "", table);
    }

    private String hotPartition() {
        return byPolicy(
                List.of(
                        "policy",
                        "hot: goodput/s",
                        "throttled",
                        "failed",
                        "p50",
                        "others: goodput/s",
                        "throttled",
                        "failed",
                        "p99"),
                List.of(ComparedPolicy.values()),
                policy -> {
                    ScaleResult hot = find(ScaleScenario.HOT_PARTITION, policy, ResultPart.HOT);
                    ScaleResult others = all(ScaleScenario.HOT_PARTITION, policy);
                    return List.of(
                            FigureTable.number("%,.0f", hot.goodput()),
                            FigureTable.percent(hot.throttledShare()),
                            FigureTable.percent(hot.failedShare()),
                            FigureTable.ofSuccesses(hot, FigureTable.seconds(hot.medianMillis())),
                            FigureTable.number("%,.0f", others.goodput()),
                            FigureTable.percent(others.throttledShare()),
                            FigureTable.percent(others.failedShare()),
                            FigureTable.seconds(others.tailMillis()));
                });
    }

    private String ramp(ScaleScenario scenario) {
        return titled(
                scenario,
                byPolicy(
                        List.of("policy", "goodput/s", "throttled", "requests", "failed", "p99", "servers at the end"),
                        List.copyOf(scenario.policies()).stream().sorted().toList(),
                        policy -> {
                            ScaleResult result = all(scenario, policy);
                            return List.of(
                                    FigureTable.number("%,.0f", result.goodput()),
                                    FigureTable.percent(result.throttledShare()),
                                    FigureTable.number("%,.2f", result.amplification()),
                                    FigureTable.percent(result.failedShare()),
                                    FigureTable.seconds(result.tailMillis()),
                                    FigureTable.number("%.1f", result.servers()));
                        }));
    }

    private String singles() {
        return byPolicy(
                List.of("policy", "goodput/s", "throttled", "requests", "failed", "fairness"),
                List.copyOf(ScaleScenario.SINGLES.policies()).stream().sorted().toList(),
                policy -> {
                    ScaleResult result = all(ScaleScenario.SINGLES, policy);
                    return List.of(
                            FigureTable.number("%,.0f", result.goodput()),
                            FigureTable.percent(result.throttledShare()),
                            FigureTable.number("%,.2f", result.amplification()),
                            FigureTable.percent(result.failedShare()),
                            FigureTable.number("%.3f", result.fairness()));
                });
    }

    private String refusals() {
        double[] shares = results.refusals().stream()
                .mapToDouble(RefusalCost::share)
                .distinct()
                .toArray();
        List<String> head = Stream.of(
                        Stream.of("policy"),
                        Arrays.stream(shares).mapToObj(share -> "goodput at 150 %, cost " + FigureTable.percent(share)),
                        Arrays.stream(shares)
                                .mapToObj(share -> "two minutes after 500, cost " + FigureTable.percent(share)))
                .flatMap(cells -> cells)
                .toList();
        return FigureTable.of(
                head,
                results.refusals().stream().map(RefusalCost::policy).distinct().map(policy -> Stream.of(
                                Stream.of(policy.title()),
                                of(policy).map(each -> FigureTable.percent(each.goodput())),
                                of(policy).map(each -> FigureTable.percent(each.afterOutage())))
                        .flatMap(cells -> cells)
                        .toList()));
    }

    private Stream<RefusalCost> of(ComparedPolicy policy) {
        return results.refusals().stream().filter(each -> each.policy() == policy);
    }

    private ScaleResult all(ScaleScenario scenario, ComparedPolicy policy) {
        return find(scenario, policy, ResultPart.ALL);
    }

    private ScaleResult find(ScaleScenario scenario, ComparedPolicy policy, ResultPart part) {
        return results.find(scenario, policy, part)
                .orElseThrow(() -> new IllegalStateException(
                        "no result of " + scenario + ", " + policy + ", " + part + ": run the simulator"));
    }

    private String byPolicy(
            List<String> head, List<ComparedPolicy> policies, Function<ComparedPolicy, List<String>> cells) {
        return FigureTable.of(head, policies.stream().map(policy -> Stream.concat(
                        Stream.of(policy.title()), cells.apply(policy).stream())
                .toList()));
    }
}

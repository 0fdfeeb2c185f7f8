package io.stowline.benchmarks.side.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/** The outcomes as Markdown: medians of the rounds with their least and most, ratios of the medians with those of the rounds. */
public final class ReportTable {

    private static final double KILO = 1_024;

    /** A wider range of the rounds' ratios, as a part of their median, makes the ratio no repeatable figure. */
    private static final double SPREAD = 0.10;

    private final StringBuilder out = new StringBuilder();

    private final boolean gated;

    private ReportTable(boolean gated) {
        this.gated = gated;
    }

    /** Returns the table with gates and aims, or without where they do not count. */
    public static String of(List<ContenderResult> outcomes, boolean gated) {
        ReportTable table = new ReportTable(gated);
        table.out.append("""
            | workload | | peer | Stowline | Stowline : peer | gate | aim |
            |---|---|---:|---:|---:|---:|---:|
            """);
        outcomes.forEach(table::rows);
        return table.out.toString();
    }

    /** Returns the cost of the same work on Netty alone; empty where that was not measured. */
    public static String bare(List<ContenderResult> outcomes) {
        List<ContenderResult> compared = outcomes.stream()
                .filter(outcome -> outcome.find(Contender.BARE) != null && outcome.find(Contender.ALONE) == null)
                .toList();
        if (compared.isEmpty()) {
            return "";
        }
        ReportTable table = new ReportTable(false);
        table.out.append("| workload | | bare Netty | Stowline | Stowline : bare Netty |\n|---|---|---:|---:|---:|\n");
        compared.forEach(table::bareRows);
        return table.out.toString();
    }

    /** Returns the cost of an advisor that is closed; empty where that was not measured. */
    public static String off(List<ContenderResult> outcomes) {
        List<ContenderResult> compared = outcomes.stream()
                .filter(outcome -> outcome.find(Contender.OFF) != null)
                .toList();
        if (compared.isEmpty()) {
            return "";
        }
        ReportTable table = new ReportTable(false);
        table.out.append("| workload | | no advisor | closed advisor | closed : none |\n|---|---|---:|---:|---:|\n");
        compared.forEach(table::offRows);
        return table.out.toString();
    }

    /** Returns the bytes of scans on the wire; empty where they were not counted. */
    public static String wire(List<WorkloadRun> runs) {
        List<WorkloadRun> counted =
                runs.stream().filter(run -> !run.wireBytes().isEmpty()).toList();
        if (counted.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder(
                "| bytes on the wire per entity | the SDK | Stowline | Stowline : the SDK |\n|---|---:|---:|---:|\n");
        for (WorkloadRun run : counted) {
            double peer = run.wireBytes().getOrDefault(Contender.PEER, Double.NaN);
            double stowline = run.wireBytes().getOrDefault(Contender.STOWLINE, Double.NaN);
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %,.0f | %,.0f | %.3f |%n",
                    run.result().scenario().title(),
                    peer,
                    stowline,
                    stowline / peer));
        }
        return out.toString();
    }

    /** Returns the warm-up of each workload, and whether the compiler was quiet after it. */
    public static String warmUps(List<WorkloadRun> runs) {
        StringBuilder out = new StringBuilder("""
            | workload | warm-up rounds | in the last of them | compiler while rounds counted |
            |---|---:|---|---:|
            """);
        for (WorkloadRun run : runs) {
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %.1f %% |%n",
                    run.result().scenario().title(),
                    run.warmUp().rounds(),
                    run.warmUp().compiler(),
                    run.compilerShare() * 100));
        }
        return out.toString();
    }

    private void rows(ContenderResult outcome) {
        String title = "**" + outcome.scenario().title() + "**, against " + outcome.peer();
        List<Metric> metrics = outcome.scenario() == Scenario.IDLE
                ? List.of(Metric.LATENCY)
                : List.of(Metric.RATE, Metric.CPU, Metric.BYTES);
        for (Metric metric : metrics) {
            row(title, outcome, metric);
            title = "";
        }
        if (outcome.scenario().goal(Metric.SHARE).isPresent()) {
            share(outcome);
        }
        for (Metric metric : List.of(Metric.REQUESTS, Metric.PEAK)) {
            if (outcome.has(metric)) {
                row("", outcome, metric);
            }
        }
    }

    private void row(String title, ContenderResult outcome, Metric metric) {
        out.append("| ")
                .append(title)
                .append(" | ")
                .append(unit(outcome.scenario(), metric))
                .append(" | ");
        out.append(spread(outcome.of(Contender.PEER), metric)).append(" | ");
        out.append(spread(outcome.of(Contender.STOWLINE), metric)).append(" | ");
        ratio(outcome, metric);
    }

    private void ratio(ContenderResult outcome, Metric metric) {
        Series ratios = series(outcome.ratios(metric));
        Optional<Goal> goal = outcome.scenario().goal(metric).filter(any -> gated);
        String verdict =
                goal.map(g -> g.isMetBy(outcome.judged(metric)) ? "" : " ✗").orElse("");
        out.append(String.format(
                Locale.ROOT,
                "%.3f (%.3f–%.3f)%s%s | %s | %s |%n",
                outcome.ratio(metric),
                ratios.min(Metric.RATE),
                ratios.max(Metric.RATE),
                spread(outcome.spread(metric)),
                verdict,
                goal.map(g -> bound(metric, g.gate())).orElse(""),
                goal.map(g -> bound(metric, g.aim())).orElse("")));
    }

    private void share(ContenderResult outcome) {
        out.append("| | ").append(unit(outcome.scenario(), Metric.SHARE)).append(" | ");
        out.append(String.format(Locale.ROOT, "%,.0f | ", outcome.limit()));
        out.append(spread(outcome.of(Contender.STOWLINE), Metric.RATE)).append(" | ");
        ratio(outcome, Metric.SHARE);
    }

    private void bareRows(ContenderResult outcome) {
        String title = outcome.scenario().title();
        Series bare = outcome.of(Contender.BARE);
        for (Metric metric : List.of(Metric.RATE, Metric.CPU, Metric.BYTES)) {
            out.append("| ")
                    .append(title)
                    .append(" | ")
                    .append(unit(outcome.scenario(), metric))
                    .append(" | ");
            out.append(spread(bare, metric)).append(" | ");
            out.append(spread(outcome.of(Contender.STOWLINE), metric));
            out.append(String.format(
                    Locale.ROOT, " | %.2f |%n", outcome.of(Contender.STOWLINE).median(metric) / bare.median(metric)));
            title = "";
        }
    }

    private void offRows(ContenderResult outcome) {
        String title = outcome.scenario().title();
        for (Metric metric : List.of(Metric.RATE, Metric.CPU, Metric.BYTES)) {
            Series ratios = series(outcome.ratios(Contender.OFF, metric));
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %.3f (%.3f–%.3f) |%n",
                    title,
                    unit(outcome.scenario(), metric),
                    spread(outcome.of(Contender.PEER), metric),
                    spread(outcome.of(Contender.OFF), metric),
                    outcome.of(Contender.OFF).median(metric)
                            / outcome.of(Contender.PEER).median(metric),
                    ratios.min(Metric.RATE),
                    ratios.max(Metric.RATE)));
            title = "";
        }
    }

    private static Series series(double[] ratios) {
        return new Series(Arrays.stream(ratios)
                .mapToObj(ratio -> new Figures(ratio, 0, 0, 0))
                .toList());
    }

    private static String unit(Scenario scenario, Metric metric) {
        return switch (metric) {
            case RATE -> scenario.rate();
            case CPU -> "CPU µs per " + scenario.item();
            case BYTES -> "KB allocated per " + scenario.item();
            case LATENCY -> "µs, median";
            case SHARE -> "of what the latency allows";
            case REQUESTS -> "requests per " + scenario.item();
            case PEAK -> "MiB of heap and direct memory at most";
        };
    }

    private static String spread(double part) {
        return part > SPREAD ? String.format(Locale.ROOT, ", spread %.0f %%", part * 100) : "";
    }

    private static String spread(Series series, Metric metric) {
        DoubleUnaryOperator scale = value -> switch (metric) {
            case BYTES -> value / KILO;
            case PEAK -> value / KILO / KILO;
            default -> value;
        };
        String number =
                switch (metric) {
                    case RATE -> "%,.0f";
                    case PEAK -> "%,.1f";
                    case REQUESTS -> "%.3f";
                    default -> "%.2f";
                };
        return String.format(
                Locale.ROOT,
                number + " (" + number + "–" + number + ")",
                scale.applyAsDouble(series.median(metric)),
                scale.applyAsDouble(series.min(metric)),
                scale.applyAsDouble(series.max(metric)));
    }

    private static String bound(Metric metric, double value) {
        return Double.isNaN(value)
                ? ""
                : String.format(Locale.ROOT, metric.moreIsBetter() ? "≥ %.2f" : "≤ %.3f", value);
    }
}

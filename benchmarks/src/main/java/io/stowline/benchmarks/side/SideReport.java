package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.CpuPin;
import io.stowline.benchmarks.side.report.BarChart;
import io.stowline.benchmarks.side.report.ContenderResult;
import io.stowline.benchmarks.side.report.Goal;
import io.stowline.benchmarks.side.report.Metric;
import io.stowline.benchmarks.side.report.ReportTable;
import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.work.BlobSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of all workloads, the files beside it, and the verdict of the gates. */
final class SideReport {

    private final SideOptions options;
    private final List<WorkloadRun> runs;
    private final List<ContenderResult> outcomes;
    private final boolean emulator;

    SideReport(SideOptions options, List<WorkloadRun> runs) {
        this.options = options;
        this.runs = List.copyOf(runs);
        this.outcomes = WorkloadRun.results(runs);
        this.emulator = options.has(SideOptions.Flag.AZURITE);
    }

    /** Prints to standard output. */
    void print() {
        System.out.println(text());
    }

    /** Writes to the folder of {@code --out}, if there is one. */
    void save() throws IOException {
        Path out = options.out();
        if (out == null) {
            return;
        }
        Files.createDirectories(out);
        String name = emulator ? "azurite" : "side";
        Files.writeString(out.resolve(name + ".md"), text());
        if (options.has(SideOptions.Flag.JSON)) {
            Files.writeString(out.resolve(name + ".json"), RoundsFile.of(runs));
        }
        if (!emulator) {
            charts(out);
        }
    }

    /** Returns the report in Markdown. */
    String text() {
        return Stream.of(
                        conditions() + "\n",
                        ReportTable.of(outcomes, !emulator),
                        ReportTable.bare(outcomes),
                        ReportTable.off(outcomes),
                        ReportTable.wire(runs),
                        ReportTable.warmUps(runs))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    /** Returns whether all gates that count are met. Names those that are missed on standard error. */
    boolean gatesHold() {
        if (!options.has(SideOptions.Flag.GATE) || emulator) {
            return true;
        }
        boolean hold = true;
        for (ContenderResult outcome : outcomes) {
            for (Goal goal : outcome.missed()) {
                hold = false;
                System.err.printf(
                        Locale.ROOT,
                        "gate missed: %s, %s: %.3f, not %s %.3f%n",
                        outcome.scenario().id(),
                        goal.metric().title(),
                        outcome.judged(goal.metric()),
                        goal.metric().moreIsBetter() ? "at least" : "at most",
                        goal.gate());
            }
        }
        return hold;
    }

    private void charts(Path out) throws IOException {
        Files.writeString(
                out.resolve("throughput.svg"),
                BarChart.of("Throughput: how many times the SDK's", Metric.RATE, outcomes));
        Files.writeString(
                out.resolve("cpu.svg"),
                BarChart.of("Processor time per item: how many times less than the SDK's", Metric.CPU, outcomes));
        Files.writeString(
                out.resolve("allocation.svg"),
                BarChart.of("Allocated bytes per item: how many times fewer than the SDK's", Metric.BYTES, outcomes));
        Files.writeString(
                out.resolve("memory.svg"),
                BarChart.of(
                        "Heap and direct memory at most: how many times less than the SDK's", Metric.PEAK, outcomes));
    }

    private String conditions() {
        return String.format(
                Locale.ROOT,
                "%s, fresh for each workload as the measured process is; %d rounds of %.1f s in alternation after at"
                        + " least %d to warm up; %s; %s%s%s",
                emulator ? "Azurite" : "Stub server in a separate process",
                options.pace().rounds(),
                options.pace().seconds(),
                options.pace().warmUps(),
                WorkloadRun.jvm(runs),
                binding(),
                quick(),
                options.has(SideOptions.Flag.BUSY) ? "; BUSY: other processes may have used the machine" : "");
    }

    /** The titles name the full sizes. */
    private String quick() {
        BlobSizes sizes = options.sizes();
        return options.has(SideOptions.Flag.QUICK)
                ? String.format(
                        Locale.ROOT,
                        "; QUICK: files of %d MiB, %d small blobs and streams of %d MiB, whatever the titles say",
                        sizes.fileMiB(),
                        sizes.blobs(),
                        sizes.streamMiB())
                : "";
    }

    private String binding() {
        if (!CpuPin.canBeChosen()) {
            return "NOT bound to cores (no taskset)";
        }
        return emulator ? "client bound to a core, the emulator to none" : "client and server bound to a core each";
    }
}

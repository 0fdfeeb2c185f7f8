package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.BarChart;
import io.stowline.benchmarks.side.report.ContenderResult;
import io.stowline.benchmarks.side.report.Goal;
import io.stowline.benchmarks.side.report.Metric;
import io.stowline.benchmarks.side.report.ReportTable;
import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.Account;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The measured process. Ends with 1 where gates count and one is missed. */
public final class SideClient {

    /** Where it reads the account's key, which is no argument: others could see it. */
    static final String KEY = "STOWLINE_SIDE_KEY";

    /** In place of an endpoint that is not there. */
    static final String NOWHERE = "-";

    private static final int ROWS = 5_000;

    private final SideOptions options;

    private SideClient(SideOptions options) {
        this.options = options;
    }

    /**
     * Measures.
     *
     * @param args the endpoint, one that answers late or a dash, the name of the account; then the options of {@link Comparison}
     * @throws Exception if anything failed
     */
    public static void main(String[] args) throws Exception {
        String key = System.getenv(KEY);
        Account near = new Account(args[0], args[2], key);
        Account far = args[1].equals(NOWHERE) ? null : new Account(args[1], args[2], key);
        SideOptions options = SideOptions.of(Arrays.copyOfRange(args, 3, args.length));
        System.exit(new SideClient(options).run(near, far) ? 0 : 1);
    }

    private boolean run(Account near, @Nullable Account far) throws Exception {
        List<ContenderResult> outcomes = new ArrayList<>();
        try (Workloads workloads = new Workloads(near, far, ROWS)) {
            workloads.prepare();
            for (Scenario scenario : Scenario.values()) {
                if (options.only().contains(scenario)) {
                    outcomes.add(outcome(scenario, workloads));
                }
            }
        }
        report(outcomes, new WireBytes(near).of(options.only()));
        return !options.has(SideOptions.Flag.GATE) || options.has(SideOptions.Flag.AZURITE) || gatesHold(outcomes);
    }

    private ContenderResult outcome(Scenario scenario, Workloads workloads) throws Exception {
        System.err.println(scenario.title() + " …");
        String peer = scenario == Scenario.IDLE ? "a direct upsert" : "the SDK";
        return new ContenderResult(scenario, peer, new Measurement(options.pace()).of(workloads.of(scenario)));
    }

    private void report(List<ContenderResult> outcomes, String wire) throws IOException {
        boolean emulator = options.has(SideOptions.Flag.AZURITE);
        String bare = ReportTable.bare(outcomes);
        String report = conditions() + "\n\n" + ReportTable.of(outcomes, !emulator)
                + (bare.isEmpty() ? "" : "\n" + bare) + wire;
        System.out.println(report);
        Path out = options.out();
        if (out != null) {
            Files.createDirectories(out);
            String name = emulator ? "azurite" : "side";
            Files.writeString(out.resolve(name + ".md"), report);
            if (options.has(SideOptions.Flag.JSON)) {
                Files.writeString(out.resolve(name + ".json"), RoundsFile.of(outcomes));
            }
            if (!emulator) {
                charts(out, outcomes);
            }
        }
    }

    private static void charts(Path out, List<ContenderResult> outcomes) throws IOException {
        Files.writeString(
                out.resolve("throughput.svg"),
                BarChart.of("Throughput: how many times the SDK's", Metric.RATE, outcomes));
        Files.writeString(
                out.resolve("cpu.svg"),
                BarChart.of("Processor time per item: how many times less than the SDK's", Metric.CPU, outcomes));
        Files.writeString(
                out.resolve("allocation.svg"),
                BarChart.of("Allocated bytes per item: how many times fewer than the SDK's", Metric.BYTES, outcomes));
    }

    private String conditions() {
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "%s; %d rounds of %.1f s in alternation after %d to warm up; Java %s on %d %s, heap %d MB, %s; %s",
                options.has(SideOptions.Flag.AZURITE) ? "Azurite" : "stub server in a process of its own",
                options.pace().rounds(),
                options.pace().seconds(),
                options.pace().warmUps(),
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().availableProcessors() == 1 ? "core" : "cores",
                Runtime.getRuntime().maxMemory() >> 20,
                collectors,
                binding());
    }

    private String binding() {
        if (!CpuPin.isChosen()) {
            return "NOT bound to cores (no taskset)";
        }
        return options.has(SideOptions.Flag.AZURITE)
                ? "client bound to a core, the emulator to none"
                : "client and server bound to a core each";
    }

    private static boolean gatesHold(List<ContenderResult> outcomes) {
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
}

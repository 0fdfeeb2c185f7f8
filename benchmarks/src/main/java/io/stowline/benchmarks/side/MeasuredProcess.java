package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.FigureProcess;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.work.Account;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A fresh process for one workload. */
final class MeasuredProcess {

    /**
     * A collector that leaves no garbage behind: by default a collection leaves objects that would cost too much to
     * move.
     */
    private static final List<String> EXACT = List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1");

    private final SideOptions options;
    private final List<String> more;
    private final List<String> args;

    /**
     * Makes a process with options.
     *
     * @param options what the command line requests
     * @param args the same as the words of the command line
     */
    MeasuredProcess(SideOptions options, String... args) {
        this(options, List.of(), args);
    }

    /**
     * Makes a process with flags that a test adds, where the figures do not matter.
     *
     * @param options what the command line requests
     * @param more flags of the JVM, behind its own
     * @param args the same as the words of the command line
     */
    MeasuredProcess(SideOptions options, List<String> more, String... args) {
        this.options = options;
        this.more = List.copyOf(more);
        this.args = List.of(args);
    }

    /**
     * Measures a workload in a fresh process, whose output is visible while it runs.
     *
     * @param scenario the workload
     * @param near the account
     * @param far the endpoint that responds late, or {@link SideClient#NOWHERE}
     * @throws IllegalStateException if the process failed
     */
    WorkloadRun run(Scenario scenario, Account near, String far) throws IOException, InterruptedException {
        return RoundsFile.read(output(SideClient.class, flags(scenario), scenario, far, near))
                .get(0);
    }

    /**
     * Measures the memory of each contender alone, in a fresh process each.
     *
     * @param scenario the workload
     * @param near the account
     * @return the peaks of Stowline and the peer in bytes, as many as there are rounds
     * @throws IllegalStateException if a process failed
     */
    Map<Contender, List<Double>> peaks(Scenario scenario, Account near) throws IOException, InterruptedException {
        Map<Contender, List<Double>> peaks = new EnumMap<>(Contender.class);
        for (Contender contender : List.of(Contender.STOWLINE, Contender.PEER)) {
            List<String> flags = heap(scenario);
            flags.addAll(EXACT);
            String lines = output(PeakClient.class, flags, scenario, contender.name(), near);
            peaks.put(contender, lines.lines().map(Double::valueOf).toList());
        }
        return peaks;
    }

    private String output(Class<?> main, List<String> flags, Scenario scenario, String second, Account near)
            throws IOException, InterruptedException {
        List<String> together = new ArrayList<>(flags);
        together.addAll(more);
        return FigureProcess.run(scenario.id(), main, together, near.key(), file -> {
            List<String> all =
                    new ArrayList<>(List.of(near.endpoint(), second, near.name(), scenario.id(), file.toString()));
            all.addAll(args);
            return all;
        });
    }

    /** Equal for both contenders. Whole tables pass through a small one. */
    private static List<String> heap(Scenario scenario) {
        String size = scenario.isOfWholeTables() ? "128m" : "1g";
        return new ArrayList<>(List.of("-Xms" + size, "-Xmx" + size));
    }

    private List<String> flags(Scenario scenario) {
        List<String> flags = heap(scenario);
        Path recording = options.recording(scenario);
        if (recording != null) {
            flags.add("-XX:StartFlightRecording=settings=profile,filename=" + recording);
        }
        return flags;
    }
}

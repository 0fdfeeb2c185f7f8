package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.FigureProcess;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.ContenderResult;
import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.work.Account;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The measured process: it measures one workload and writes a {@link RoundsFile}. It ends when its standard input does, so that it
 * never outlives the process that started it.
 */
public final class SideClient {

    /** The mark in place of an absent endpoint. */
    static final String NOWHERE = "-";

    private static final int ROWS = 5_000;

    private final SideOptions options;
    private final Scenario scenario;

    private SideClient(SideOptions options, Scenario scenario) {
        this.options = options;
        this.scenario = scenario;
    }

    /**
     * Measures one workload.
     *
     * @param args the endpoint, one that responds late or a dash, the name of the account, the workload and the file to write; then the
     *     options of {@link Comparison}
     */
    public static void main(String[] args) {
        endWithParent();
        try {
            String key = System.getenv(FigureProcess.KEY);
            Account near = new Account(args[0], args[2], key);
            Account far = args[1].equals(NOWHERE) ? null : new Account(args[1], args[2], key);
            SideOptions options = SideOptions.of(Arrays.copyOfRange(args, 5, args.length));
            WorkloadRun run = new SideClient(options, Scenario.named(args[3])).run(near, far);
            Files.writeString(Path.of(args[4]), RoundsFile.of(List.of(run)));
            System.exit(0);
        } catch (Exception | Error e) {
            // Threads of a client that is still open must not keep the process.
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** Ends this process when its standard input ends. */
    public static void endWithParent() {
        Thread parent = new Thread(SideClient::waitForParent, "parent");
        parent.setDaemon(true);
        parent.start();
    }

    private static void waitForParent() {
        try {
            while (System.in.read() >= 0) {
                // It lives as long as the process that started it.
            }
        } catch (IOException e) {
            System.err.println("standard input is gone: " + e);
        }
        Runtime.getRuntime().halt(1);
    }

    private WorkloadRun run(Account near, @Nullable Account far) throws Exception {
        try (Workloads workloads = new Workloads(near, far, ROWS, options.sizes())) {
            if (options.has(SideOptions.Flag.AZURITE)) {
                workloads.prepare();
            }
            CompilerLoad compiler = CompilerLoad.ofThisProcess();
            Measurement<Contender> measurement = new Measurement<>(options.pace(), compiler, workloads.of(scenario));
            System.err.println(scenario.title() + " …");
            WarmUp warmUp = measurement.warmUp(SideClient::print);
            String peer = scenario.peer();
            compiler.begin();
            ContenderResult result = new ContenderResult(scenario, peer, measurement.rounds());
            return new WorkloadRun(result, warmUp, compiler.share(), new WireBytes(near).of(scenario), jvm());
        }
    }

    private static void print(WarmUp warmUp) {
        System.err.println("  warm-up round " + warmUp.rounds() + ", " + warmUp.compiler());
    }

    private static String jvm() {
        int cores = Runtime.getRuntime().availableProcessors();
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "Java %s on %d %s, heap %d MB, %s",
                Runtime.version().feature(),
                cores,
                cores == 1 ? "core" : "cores",
                Runtime.getRuntime().maxMemory() >> 20,
                collectors);
    }
}

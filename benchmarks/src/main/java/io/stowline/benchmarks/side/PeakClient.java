package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.FigureProcess;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A process that measures the memory of one contender in one workload, and writes the peak of each round as a line. Collections slow the
 * work down, so that it measures nothing else. It ends when its standard input does.
 */
public final class PeakClient {

    private PeakClient() {}

    /**
     * Measures.
     *
     * @param args the endpoint, the contender, the name of the account, the workload and the file to write; then the options of
     *     {@link Comparison}
     */
    public static void main(String[] args) {
        SideClient.endWithParent();
        try {
            Account account = new Account(args[0], args[2], System.getenv(FigureProcess.KEY));
            SideOptions options = SideOptions.of(Arrays.copyOfRange(args, 5, args.length));
            List<String> peaks = peaks(account, options, Scenario.named(args[3]), Contender.valueOf(args[1]));
            Files.writeString(Path.of(args[4]), String.join("\n", peaks) + "\n");
            System.exit(0);
        } catch (Exception | Error e) {
            // Threads of a client that is still open must not keep the process.
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static List<String> peaks(Account account, SideOptions options, Scenario scenario, Contender contender)
            throws Exception {
        try (Workloads workloads = new Workloads(account, null, 0, options.sizes())) {
            Task task = workloads.of(scenario).get(contender);
            if (task == null) {
                throw new IllegalArgumentException(contender + " has no part in " + scenario.id());
            }
            System.err.println("  memory of " + contender.title() + " …");
            List<String> peaks = new ArrayList<>();
            for (int round = 0; round < options.pace().rounds(); round++) {
                peaks.add(Long.toString(PeakMemory.of(task)));
            }
            return peaks;
        }
    }
}

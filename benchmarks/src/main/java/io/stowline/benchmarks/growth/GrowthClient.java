package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.machine.FigureProcess;
import io.stowline.benchmarks.side.BenchmarkArguments;
import io.stowline.benchmarks.side.CompilerLoad;
import io.stowline.benchmarks.side.Measurement;
import io.stowline.benchmarks.side.Pace;
import io.stowline.benchmarks.side.PeakMemory;
import io.stowline.benchmarks.side.SideClient;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Task;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * The process that measures one curve: its sizes take turns, so that they have the same compiled code and the same disturbances. Another process
 * measures the peaks of memory. It ends when its standard input does.
 */
public final class GrowthClient {

    private GrowthClient() {}

    /**
     * Measures.
     *
     * @param args the endpoint, the name of the account, the file to write, the curve, and its sizes separated by commas; then {@code --peaks}
     *     and the pace
     */
    public static void main(String[] args) {
        SideClient.endWithParent();
        try {
            Account account = new Account(args[0], args[1], System.getenv(FigureProcess.KEY));
            GrowthCurve curve = GrowthCurve.named(args[3]);
            List<Integer> sizes =
                    Arrays.stream(args[4].split(",")).map(Integer::valueOf).toList();
            BenchmarkArguments more = new BenchmarkArguments(Arrays.copyOfRange(args, 5, args.length));
            boolean peaks = more.flag("--peaks");
            Pace pace = GrowthReport.pace(more);
            more.end();
            System.err.println(curve.id() + (peaks ? ": memory …" : " …"));
            try (GrowthLoad load = new GrowthLoad(account, curve)) {
                Map<Integer, Task> tasks = load.tasks(sizes);
                Map<Integer, Series> series = peaks ? peaks(tasks, pace.rounds()) : rounds(tasks, pace);
                Files.writeString(
                        Path.of(args[2]), GrowthResults.of(curve, series).text());
            }
            System.exit(0);
        } catch (Exception | Error e) {
            // Threads of a client that is still open must not keep the process.
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static Map<Integer, Series> rounds(Map<Integer, Task> tasks, Pace pace) throws Exception {
        Measurement<Integer> measurement = new Measurement<>(pace, CompilerLoad.ofThisProcess(), tasks);
        measurement.warmUp(
                warmUp -> System.err.println("  warm-up round " + warmUp.rounds() + ", " + warmUp.compiler()));
        return measurement.rounds();
    }

    private static Map<Integer, Series> peaks(Map<Integer, Task> tasks, int rounds) throws Exception {
        Map<Integer, Series> peaks = new TreeMap<>();
        for (Map.Entry<Integer, Task> task : tasks.entrySet()) {
            double[] bytes = new double[rounds];
            for (int round = 0; round < rounds; round++) {
                bytes[round] = PeakMemory.of(task.getValue());
            }
            Figures none = new Figures(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
            peaks.put(
                    task.getKey(),
                    new Series(DoubleStream.of(bytes).mapToObj(none::withPeak).toList()));
        }
        return peaks;
    }
}

package io.stowline.benchmarks.growth;

import io.stowline.benchmarks.machine.FigureProcess;
import io.stowline.benchmarks.machine.QuietMachine;
import io.stowline.benchmarks.side.BenchmarkArguments;
import io.stowline.benchmarks.side.Pace;
import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.work.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The program of the growth charts. {@code run} measures each curve in a fresh process against a fresh stub server and writes the rounds;
 * {@code draw} makes the page and the pictures from them. Both take the root folder of the project.
 */
public final class GrowthReport {

    private static final Path RESULTS = Path.of("benchmarks", "growth", "rounds.csv");
    private static final Path PAGE = Path.of("benchmarks", "GROWTH.md");
    private static final Path CHARTS = Path.of("benchmarks", "charts");
    private static final String USAGE =
            "usage: GrowthReport run|draw FOLDER [--only CURVE,CURVE] [--rounds 5] [--warm-ups 8] [--seconds 1] [--busy]";
    private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");
    /** A collector that leaves no garbage behind. */
    private static final List<String> EXACT = List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1");

    private GrowthReport() {}

    /**
     * Runs the program.
     *
     * @param args {@code run} or {@code draw}, and the root folder; then the options of a run
     * @throws Exception if a file cannot be read or written, the machine is not quiet or a curve cannot be measured
     */
    public static void main(String[] args) throws Exception {
        if (args.length < 2 || !(args[0].equals("run") || args[0].equals("draw"))) {
            throw new IllegalArgumentException(USAGE + ", but was " + List.of(args));
        }
        Path root = Path.of(args[1]);
        BenchmarkArguments more = new BenchmarkArguments(Arrays.copyOfRange(args, 2, args.length));
        if (args[0].equals("run")) {
            boolean busy = more.flag("--busy");
            List<GrowthCurve> only = more.value("--only", List.of(GrowthCurve.values()), GrowthReport::curves);
            Pace pace = pace(more);
            more.end();
            QuietMachine machine = QuietMachine.present();
            for (GrowthCurve curve : only) {
                if (!busy) {
                    machine.await("before " + curve.id());
                }
                GrowthResults measured = GrowthResults.of(curve, measured(curve, curve.sizes(), HEAP, pace));
                if (!busy) {
                    machine.await("after " + curve.id());
                }
                // A run that is ended before its last curve keeps what it has measured.
                save(root, measured.or(results(root)));
            }
        }
        more.end();
        save(root, results(root));
    }

    /** Returns the pace of a run by its options. */
    static Pace pace(BenchmarkArguments arguments) {
        return arguments.pace(5, 1);
    }

    private static List<GrowthCurve> curves(String ids) {
        return Arrays.stream(ids.split(",")).map(GrowthCurve::named).toList();
    }

    /** Returns the results that a project has, without any curve where it has none. */
    static GrowthResults results(Path root) throws IOException {
        Path file = root.resolve(RESULTS);
        return Files.exists(file)
                ? GrowthResults.read(Files.readString(file))
                : new GrowthResults(new EnumMap<>(GrowthCurve.class));
    }

    /** Writes the rounds, the page and the pictures. */
    static void save(Path root, GrowthResults results) throws IOException {
        Files.createDirectories(root.resolve(CHARTS));
        Files.createDirectories(root.resolve(RESULTS).getParent());
        Files.writeString(root.resolve(RESULTS), results.text());
        Files.writeString(root.resolve(PAGE), GrowthPage.of(results));
        for (Growth growth : Growth.values()) {
            Files.writeString(root.resolve(CHARTS).resolve(growth.picture()), GrowthChart.of(growth, results));
        }
    }

    /** Measures a curve at these sizes in a fresh process, and its peaks of memory in another one. */
    static Map<Integer, Series> measured(GrowthCurve curve, List<Integer> sizes, List<String> flags, Pace pace)
            throws IOException, InterruptedException {
        try (StubProcess stub = StubProcess.start(0)) {
            Map<Integer, Series> rounds = inProcess(stub.account(), curve, sizes, flags, pace, List.of());
            if (!curve.growth().isAboutMemory()) {
                return rounds;
            }
            List<String> exact = new ArrayList<>(flags);
            exact.addAll(EXACT);
            return withPeaks(rounds, inProcess(stub.account(), curve, sizes, exact, pace, List.of("--peaks")));
        }
    }

    private static Map<Integer, Series> inProcess(
            Account account, GrowthCurve curve, List<Integer> sizes, List<String> flags, Pace pace, List<String> more)
            throws IOException, InterruptedException {
        String text = FigureProcess.run(curve.id(), GrowthClient.class, flags, account.key(), file -> {
            List<String> args = new ArrayList<>(List.of(
                    account.endpoint(),
                    account.name(),
                    file.toString(),
                    curve.id(),
                    sizes.stream().map(String::valueOf).collect(Collectors.joining(","))));
            args.addAll(more);
            args.addAll(List.of("--rounds", Integer.toString(pace.rounds())));
            args.addAll(List.of("--warm-ups", Integer.toString(pace.warmUps())));
            args.addAll(List.of("--seconds", Double.toString(pace.seconds())));
            return args;
        });
        return GrowthResults.read(text).of(curve);
    }

    private static Map<Integer, Series> withPeaks(Map<Integer, Series> rounds, Map<Integer, Series> peaks) {
        Map<Integer, Series> both = new TreeMap<>();
        rounds.forEach((size, series) -> {
            List<Figures> bytes = Objects.requireNonNull(peaks.get(size), () -> "no peak of " + size)
                    .rounds();
            both.put(
                    size,
                    new Series(IntStream.range(0, bytes.size())
                            .mapToObj(i ->
                                    series.rounds().get(i).withPeak(bytes.get(i).peakBytes()))
                            .toList()));
        });
        return both;
    }
}

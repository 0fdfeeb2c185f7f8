package io.stowline.benchmarks.records;

import io.stowline.benchmarks.side.Meter;
import io.stowline.benchmarks.side.StubProcess;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A program that prints records per second, processor time, allocated bytes, requests and written bytes of a record of 1 KiB: by a blob for each
 * record, by Logback's file appender, and by records in blobs. All work in alternation in one process, against a stub server in another one.
 * {@code -Drounds=3 -DwarmUps=2} makes it shorter.
 */
public final class RecordCost {

    private static final int ROUNDS = Integer.getInteger("rounds", 7);
    private static final int WARM_UPS = Integer.getInteger("warmUps", 4);
    private static final Path WRITTEN = Path.of("/proc/self/io");

    private RecordCost() {}

    /**
     * A contender and its figures.
     *
     * @param name its name in the report
     * @param records the records of a round
     * @param contender stores them
     * @param rounds the figures so far
     * @param written the bytes that the process has written for a record, so far
     */
    private record Measured(
            String name, int records, RecordContender contender, List<Figures> rounds, List<Double> written) {

        static Measured of(String name, int records, RecordContender contender) {
            return new Measured(name, records, contender, new ArrayList<>(), new ArrayList<>());
        }

        double median(ToDoubleFunction<Figures> figure) {
            return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
        }

        double medianWritten() {
            return written.stream().mapToDouble(Double::doubleValue).sorted().toArray()[written.size() / 2];
        }
    }

    /**
     * Measures.
     *
     * @param args the folder of journals and log files; a temporary one unless given
     * @throws Exception if a server does not start, or a contender fails
     */
    public static void main(String[] args) throws Exception {
        Path folder = args.length > 0
                ? Files.createDirectories(Path.of(args[0]))
                : Files.createTempDirectory("stowline-records");
        try (StubProcess stub = StubProcess.start(0, 0)) {
            Account account = stub.account();
            List<Measured> all = List.of(
                    Measured.of("a blob for each record, SDK, 32 in flight", 20_000, new BlobPerRecord(account)),
                    Measured.of("Logback FileAppender, 1 thread", 100_000, new LogFile(folder.resolve("log1"), 1)),
                    Measured.of("Logback FileAppender, 16 threads", 100_000, new LogFile(folder.resolve("log16"), 16)),
                    Measured.of("no journal, 1 thread", 100_000, new RecordsInBlobs(account, null, false, 1)),
                    Measured.of(
                            "journal, 1 thread",
                            100_000,
                            new RecordsInBlobs(account, folder.resolve("journal1"), false, 1)),
                    Measured.of(
                            "journal, 16 threads",
                            100_000,
                            new RecordsInBlobs(account, folder.resolve("journal16"), false, 16)),
                    Measured.of(
                            "journal, writeAll",
                            100_000,
                            new RecordsInBlobs(account, folder.resolve("journalall"), false, 0)),
                    Measured.of(
                            "journal with fsync, 16 threads",
                            20_000,
                            new RecordsInBlobs(account, folder.resolve("journalfsync"), true, 16)));
            measure(all);
            print(all);
            all.forEach(each -> each.contender().close());
            heap(account, folder, "none");
            heap(account, folder, "journal");
        } finally {
            delete(folder);
        }
    }

    private static void measure(List<Measured> all) throws Exception {
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            for (Measured each : all) {
                System.gc();
                long before = written();
                Meter meter = new Meter();
                long requests = each.contender().store(each.records());
                Figures figures = meter.over(new Task.Done(each.records(), Double.NaN, requests));
                if (round >= 0) {
                    each.rounds().add(figures);
                    each.written().add((double) (written() - before) / each.records());
                }
            }
        }
    }

    /** Returns the bytes that this process has given to the system to write, or 0 where it does not count them. */
    private static long written() throws IOException {
        if (!Files.isReadable(WRITTEN)) {
            return 0;
        }
        return Files.readAllLines(WRITTEN).stream()
                .filter(line -> line.startsWith("wchar: "))
                .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
                .findFirst()
                .orElse(0);
    }

    private static void print(List<Measured> all) {
        double log = all.get(1).median(Figures::cpuMicros);
        System.out.println("| 1 KiB records | records/s | CPU µs | : Logback | KB allocated | requests for a million |"
                + " bytes written for a byte |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|");
        for (Measured each : all) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,.0f | %.2f | %.2f | %.2f | %,.0f | %.3f |%n",
                    each.name(),
                    each.median(Figures::perSecond),
                    each.median(Figures::cpuMicros),
                    each.median(Figures::cpuMicros) / log,
                    each.median(Figures::bytes) / 1024,
                    each.median(Figures::requests) * 1e6,
                    each.medianWritten() / RecordTexts.SIZE);
        }
    }

    private static void heap(Account account, Path folder, String journal) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordHeap.class.getName(),
                        account.endpoint(),
                        account.name(),
                        account.key(),
                        journal.equals("none") ? "" : folder.resolve("heap").toString())
                .inheritIO()
                .start();
        if (process.waitFor() != 0) {
            System.out.println("With -Xmx128m it has failed.");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((one, other) -> other.compareTo(one))
                    .forEach(file -> file.toFile().delete());
        }
    }
}

package io.stowline.examples.activities;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.examples.activities.ActivityProducer.Order;
import io.stowline.examples.shared.Arguments;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.ScratchFolder;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that puts many small activities into few large blobs. The process that produces them kills itself in the middle, another one goes
 * on with its journal, and all activities are read back and counted.
 *
 * <p>Exits with 0 when none is lost and none is there twice, with 1 otherwise or when something failed, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record Activities(Options options, PrintStream out) {

    static final String HELP = """
        Writes activities of an advertising application into large blobs. The process that produces them kills itself in
        the middle, another one goes on with its journal, and all activities are read back and counted.

          --records N             how many activities, 2 to 10000000; 200000 unless given
          --chart FILE            draws the records per second as SVG
          --connection-string S   use this storage account (default: the variable AZURE_STORAGE_CONNECTION_STRING;
                                  without both the program starts an Azurite, which ends with it); the program makes
                                  a container there and removes it again
          --help                  show this text
        """;

    static final Program<Options> PROGRAM =
            Program.ofOptions(HELP, Options::of, (options, out) -> new Activities(options, out).run());

    /** Clocks of readers and writers differ. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    /**
     * The options of the command line.
     *
     * @param records how many activities
     * @param chart the file of the chart, or null
     * @param connectionString the account, or null for an Azurite
     */
    record Options(
            int records, @Nullable Path chart, @Nullable String connectionString) {

        static Options of(Arguments arguments, Map<String, String> environment) {
            String chart = arguments.value("--chart");
            return new Options(
                    arguments.within("--records", 2, 10_000_000, 200_000),
                    chart == null ? null : Path.of(chart),
                    ProgramAccount.connectionString(arguments, environment));
        }

        /** Keeps the connection string, which holds a secret, out of messages. */
        @Override
        public String toString() {
            return "Options[records=" + records + ", chart=" + chart + "]";
        }
    }

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        PROGRAM.runAndExit(arguments);
    }

    private List<String> run() throws IOException, InterruptedException {
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out);
                Stowline storage = account.connect();
                ScratchFolder folder = ScratchFolder.create("activities")) {
            BlobContainer container = storage.container(ScratchTable.name("activities"));
            container.createIfMissing(); // its name is new
            try {
                return run(container, account.connectionString(), folder.path());
            } finally {
                container.dropIfExists();
            }
        }
    }

    private List<String> run(BlobContainer container, String connectionString, Path folder)
            throws IOException, InterruptedException {
        Instant from = Instant.now().minus(MARGIN);
        ProducerRuns runs = new ProducerRuns(connectionString, folder);
        int half = options.records() / 2;
        Path journal = folder.resolve("journal");
        ProducerEvent killed = runs.run(new Order(container.name(), journal, 0, half, true));
        out.printf(
                Locale.ROOT,
                "The first process has killed itself: %,d activities accepted, %,d of them in no blob%n",
                killed.accepted(),
                killed.buffered());
        ProducerEvent end = runs.run(new Order(container.name(), journal, half, options.records(), false));
        out.println("The second process has gone on with the journal, and has ended");

        long begin = System.nanoTime();
        ActivityFindings findings = new ActivityFindings(options.records());
        int blobs;
        try (RecordStream<Activity> activities = RecordBlobs.in(container, ActivityProducer.PREFIX)
                .read(ActivityProducer.format(), from, Instant.now().plus(MARGIN))) {
            activities.forEach(findings::take);
            blobs = activities.blobs().size();
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        draw(runs.chart());
        Report report = new Report()
                .row("activities accepted", "%,d", killed.accepted() + end.accepted())
                .row("  by the killed process", "%,d", killed.accepted())
                .row("  that it left in the journal", "%,d", killed.buffered())
                .row("blobs", "%,d", blobs)
                .row("requests", "%,d", killed.requests() + end.requests())
                .row("  with a blob for each activity", "%,d", options.records());
        findings.report(report);
        report.row("read back, ms", "%,d", millis).lines().forEach(out::println);
        return findings.wrong();
    }

    private void draw(RateChart chart) throws IOException {
        out.println();
        out.println("records per second");
        chart.lines().forEach(out::println);
        out.println();
        Path file = options.chart();
        if (file != null) {
            Files.writeString(file, chart.svg());
        }
    }
}

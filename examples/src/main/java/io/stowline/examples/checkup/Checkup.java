package io.stowline.examples.checkup;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.advisor.AdviceReport;
import io.stowline.advisor.Advisor;
import io.stowline.examples.shared.Dots;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.UsageException;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StubResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A checkup of two programs by the advisor: one breaks the proven practices, its twin does the same work and obeys them.
 *
 * <p>Exits with 0 when the twin has no warning, with 1 when it has one or a program failed, and with 2 when the options are wrong.
 *
 * @param folder where the reports go
 * @param out where the program writes its progress
 */
public record Checkup(Path folder, PrintStream out) {

    static final String HELP = """
        Runs a program that breaks the proven practices, and its mended twin, against an Azurite of its own, behind a proxy
        that refuses requests to a partition with all the load. Writes a report of the advisor on each, and compares them.

          --out FOLDER   where the two reports go; checkup unless given
          --help         show this text
        """;

    static final Program<Path> PROGRAM = Program.ofOptions(
            HELP,
            (arguments, environment) -> folder(arguments.value("--out", "checkup")),
            (folder, out) -> new Checkup(folder, out).run());

    /** The service refuses each fourth transaction on the partition that takes all of them. */
    private static final int REFUSED = 4;

    private static final int REFUSED_READINGS = 10;
    private static final StubResponse BUSY = StubResponse.tableError(503, "ServerBusy", "The server is busy.");

    /**
     * Runs the program and ends the process.
     *
     * @param arguments the options; {@code --help} lists them
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("org.slf4j.simpleLogger.log.io.stowline", "error"); // the reports have it all
        PROGRAM.runAndExit(arguments);
    }

    private static Path folder(String name) {
        Path folder = Path.of(name);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException("--out needs a folder, not the file " + name);
        }
        return folder;
    }

    private List<String> run() throws IOException, InterruptedException {
        CheckupFindings findings;
        try (Azurite azurite =
                Dots.during(out, "Starting Azurite, which npm installs the first time (190 MB) ", Azurite::start)) {
            findings = compare(azurite, "");
        }
        Files.createDirectories(folder);
        write("careless", findings.careless());
        write("careful", findings.careful());
        out.println();
        findings.lines().forEach(out::println);
        return findings.unexpected();
    }

    /** Runs both programs, which have no table, queue and container in common. */
    CheckupFindings compare(Azurite azurite, String evening) throws InterruptedException {
        try (FaultProxy proxy =
                FaultProxy.builder().inFrontOf(azurite).recordedExchanges(1).start()) {
            proxy.when(requests()
                            .path("**/$batch")
                            .bodyContaining("\"PartitionKey\":\"race\"")
                            .every(REFUSED))
                    .respond(BUSY);
            proxy.when(requests()
                            .path("**/readings*")
                            .bodyContaining("\"PartitionKey\":\"000000")
                            .every(REFUSED_READINGS))
                    .respond(BUSY);
            String account = proxy.storage().connectionString();
            return new CheckupFindings(
                    judge("careless", advisor -> new CarelessOffice(account, advisor, evening)),
                    judge("careful", advisor -> new CarefulOffice(account, advisor, evening)));
        }
    }

    private AdviceReport judge(String name, Function<Advisor, RaceOffice> program) throws InterruptedException {
        try (Advisor advisor = RaceOffice.advisor()) {
            out.println("Running the " + name + " program");
            return program.apply(advisor).work();
        }
    }

    private void write(String name, AdviceReport report) throws IOException {
        Path file = folder.resolve(name + ".html");
        Files.writeString(file, report.html(), UTF_8);
        out.println("Report on the " + name + " program: " + file);
    }
}

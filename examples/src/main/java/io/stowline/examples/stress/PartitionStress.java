package io.stowline.examples.stress;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.Stowline;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ShutdownSignal;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.StubResponse;
import io.stowline.transport.ScalabilityTargets;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A measurement of the load at which the service throttles a partition, and an account.
 *
 * <p>Exits with 0 when the steps ran, with 1 when requests failed for other reasons than throttling, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record PartitionStress(StressOptions options, PrintStream out) {

    static final Program<StressOptions> PROGRAM = Program.ofOptions(
            StressOptions.HELP, StressOptions::of, (options, out) -> new PartitionStress(options, out).run());

    // What an emulator on a small machine can bear by far.
    static final double EMULATED_PARTITION = 40;
    static final double EMULATED_ACCOUNT = 200;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

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
                ShutdownSignal signal = ShutdownSignal.register(PATIENCE.plusSeconds(options.seconds()))) {
            if (account.azurite().isEmpty()) {
                return announce(run(account::connect, ScalabilityTargets.everywhere(), signal));
            }
            try (FaultProxy proxy = throttling(account.azurite().get(), EMULATED_PARTITION, EMULATED_ACCOUNT)) {
                out.printf(
                        Locale.ROOT,
                        "The emulator is throttled above %,.0f entities/s for a partition and %,.0f/s for the"
                                + " account%n",
                        EMULATED_PARTITION,
                        EMULATED_ACCOUNT);
                return announce(run(connection(proxy), targets(EMULATED_PARTITION, EMULATED_ACCOUNT), signal));
            }
        }
    }

    /** Returns a proxy before an emulator, which refuses requests above these rates as the service does. */
    static FaultProxy throttling(Azurite azurite, double partition, double account) {
        FaultProxy proxy =
                FaultProxy.builder().inFrontOf(azurite).recordedExchanges(1).start();
        SimulatedTargets targets = new SimulatedTargets(partition, account, System::nanoTime);
        proxy.when(requests().when("above the targets", targets::isAbove))
                .respond(StubResponse.tableError(503, "ServerBusy", "The server is busy."));
        return proxy;
    }

    static StressRun.Connection connection(FaultProxy proxy) {
        return settings -> settings.apply(Stowline.builder())
                .connectionString(proxy.storage().connectionString())
                .build();
    }

    /** Returns the documented targets with other rates for tables. */
    static ScalabilityTargets targets(double partition, double account) {
        return ScalabilityTargets.everywhere().toBuilder()
                .accountEntities(account)
                .partitionEntities(partition)
                .build();
    }

    private StressFindings run(StressRun.Connection connection, ScalabilityTargets targets, ShutdownSignal signal)
            throws InterruptedException {
        return new StressRun(connection, targets, options, signal::isReceived, out).run();
    }

    private List<String> announce(StressFindings findings) throws IOException {
        findings.report().table().forEach(out::println);
        out.println();
        findings.report().chart().forEach(out::println);
        out.println();
        findings.verdict().forEach(out::println);
        Files.writeString(options.out(), findings.report().svg(), UTF_8);
        out.println("Chart: " + options.out());
        long errors = findings.report().failures();
        return errors == 0 ? List.of() : List.of(errors + " requests failed for other reasons than throttling");
    }
}

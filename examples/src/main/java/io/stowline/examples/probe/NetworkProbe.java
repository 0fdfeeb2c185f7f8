package io.stowline.examples.probe;

import io.stowline.Stowline;
import io.stowline.examples.shared.Program;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.ShutdownSignal;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * A measurement of the way between this machine and an account, with a judgement of what limits it.
 *
 * <p>Exits with 0 when the steps ran, with 1 when calls failed after all retries, and with 2 when the options are wrong.
 *
 * @param options what to do
 * @param out where the program writes its progress
 */
public record NetworkProbe(ProbeOptions options, PrintStream out) {

    static final Program<ProbeOptions> PROGRAM = Program.ofOptions(
            ProbeOptions.HELP, ProbeOptions::of, (options, out) -> new NetworkProbe(options, out).run());

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
        ClientMeter meter = new ClientMeter();
        try (ProgramAccount account = ProgramAccount.of(options.connectionString(), out);
                ShutdownSignal signal = ShutdownSignal.register(PATIENCE.plusSeconds(options.seconds()));
                // As many requests as connections: the client's adaptive limit would limit the measurement.
                Stowline storage = account.connect(
                        settings -> settings.parallelism(options.connections()).listener(meter));
                StorageLink link = StorageLink.create(storage)) {
            return announce(new ProbeRun(link, options, meter::read, ProbeTime.SYSTEM, signal::isReceived, out).run());
        }
    }

    private List<String> announce(ProbeFindings findings) {
        findings.table().forEach(out::println);
        out.println();
        findings.verdict().forEach(out::println);
        long failures =
                findings.steps().stream().mapToLong(ThroughputStep::failures).sum();
        return failures == 0 ? List.of() : List.of(failures + " calls failed after all retries");
    }
}

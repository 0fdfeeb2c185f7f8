package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.QuietMachine;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stowline and the Azure SDK side by side. Each workload has a fresh server and a fresh measured process, so that no workload decides
 * how the JIT compiles the next. Each process is bound to its own core where the system has {@code taskset}.
 */
public final class Comparison {

    private final SideOptions options;
    private final MeasuredProcess process;
    private final QuietMachine machine = QuietMachine.present();

    private Comparison(SideOptions options, MeasuredProcess process) {
        this.options = options;
        this.process = process;
    }

    /**
     * Measures and reports. The process ends with 1 where gates count and one is missed, and where the machine is not quiet.
     *
     * @param args {@code --rounds 5 --warm-ups 8 --seconds 2.5 --latency 5 --only point-read,ingest --azurite --gate --json --quick --busy --recording file --out folder},
     *     all of them optional
     * @throws Exception if anything failed
     */
    public static void main(String[] args) throws Exception {
        SideOptions options = SideOptions.of(args);
        SideReport report = new SideReport(options, new Comparison(options, new MeasuredProcess(options, args)).runs());
        report.print();
        System.exit(report.gatesHold() ? 0 : 1);
    }

    private List<WorkloadRun> runs() throws IOException, InterruptedException {
        List<WorkloadRun> runs = new ArrayList<>();
        for (Scenario scenario : Scenario.values()) {
            if (options.only().contains(scenario)) {
                requireQuiet("before " + scenario.id());
                WorkloadRun run =
                        options.has(SideOptions.Flag.AZURITE) ? againstEmulator(scenario) : againstStub(scenario);
                requireQuiet("after " + scenario.id());
                runs.add(run);
                // A run that is ended before its last workload keeps what it has measured.
                new SideReport(options, runs).save();
            }
        }
        return runs;
    }

    private void requireQuiet(String when) {
        if (!options.has(SideOptions.Flag.BUSY)) {
            machine.await(when);
        }
    }

    private WorkloadRun againstStub(Scenario scenario) throws IOException, InterruptedException {
        try (StubProcess near = StubProcess.start(0);
                StubProcess far = StubProcess.start(options.latency())) {
            WorkloadRun run =
                    process.run(scenario, near.account(), far.account().endpoint());
            return scenario.isAboutMemory() ? run.withPeaks(process.peaks(scenario, near.account())) : run;
        }
    }

    private WorkloadRun againstEmulator(Scenario scenario) throws IOException, InterruptedException {
        try (Azurite azurite = Azurite.start()) {
            Account account =
                    new Account(azurite.tableEndpoint().toString(), azurite.accountName(), azurite.accountKey());
            return process.run(scenario, account, SideClient.NOWHERE);
        }
    }
}

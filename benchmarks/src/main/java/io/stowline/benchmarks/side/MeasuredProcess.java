package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.WorkloadRun;
import io.stowline.benchmarks.side.work.Account;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A fresh process for one workload, bound to the first core. Its figures come in a file and not by its standard output, where the JVM
 * has its own lines.
 */
final class MeasuredProcess {

    private final SideOptions options;
    private final List<String> args;

    /**
     * With options.
     *
     * @param options what the command line asks for
     * @param args the same as the words of the command line
     */
    MeasuredProcess(SideOptions options, String... args) {
        this.options = options;
        this.args = List.of(args);
    }

    /**
     * Measures; the process's output is visible while it runs.
     *
     * @param scenario the workload
     * @param near the account
     * @param far the endpoint that answers late, or {@link SideClient#NOWHERE}
     * @throws IllegalStateException if the process failed
     */
    WorkloadRun run(Scenario scenario, Account near, String far) throws IOException, InterruptedException {
        Path file = Files.createTempFile("stowline-", ".json");
        try {
            List<String> all =
                    new ArrayList<>(List.of(near.endpoint(), far, near.name(), scenario.id(), file.toString()));
            all.addAll(args);
            ProcessBuilder builder = new CpuPin(0)
                    .java(flags(scenario), SideClient.class, all)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT);
            builder.environment().put(SideClient.KEY, near.key());
            int status = statusOf(builder.start());
            if (status != 0) {
                throw new IllegalStateException("the process that measures " + scenario.id() + " ended with " + status);
            }
            return RoundsFile.read(Files.readString(file)).get(0);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static int statusOf(Process process) throws InterruptedException {
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /** The same heap for both contenders. */
    private List<String> flags(Scenario scenario) {
        List<String> flags = new ArrayList<>(List.of("-Xms1g", "-Xmx1g"));
        Path recording = options.recording(scenario);
        if (recording != null) {
            flags.add("-XX:StartFlightRecording=settings=profile,filename=" + recording);
        }
        return flags;
    }
}

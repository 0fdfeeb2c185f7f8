package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.work.Account;
import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stowline and the Azure SDK side by side. Starts the server and then the measured process, each bound to its own core where the
 * system has {@code taskset}.
 */
public final class Comparison {

    private final SideOptions options;
    private final List<String> args;

    private Comparison(SideOptions options, String... args) {
        this.options = options;
        this.args = List.of(args);
    }

    /**
     * Measures.
     *
     * @param args {@code --rounds 5 --warm-ups 8 --seconds 2.5 --latency 5 --only point-read,ingest --azurite --gate --json --recording file --out folder},
     *     all of them optional
     * @throws Exception if anything failed
     */
    public static void main(String[] args) throws Exception {
        SideOptions options = SideOptions.of(args);
        System.exit(new Comparison(options, args).run());
    }

    private int run() throws Exception {
        return options.has(SideOptions.Flag.AZURITE) ? againstEmulator() : againstStub();
    }

    private int againstStub() throws Exception {
        try (StubProcess near = StubProcess.start(0);
                StubProcess far = StubProcess.start(options.latency())) {
            return client(near.account(), far.account().endpoint());
        }
    }

    private int againstEmulator() throws Exception {
        try (Azurite azurite = Azurite.start()) {
            return client(
                    new Account(azurite.tableEndpoint().toString(), azurite.accountName(), azurite.accountKey()),
                    SideClient.NOWHERE);
        }
    }

    private int client(Account account, String far) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(account.endpoint(), far, account.name()));
        all.addAll(args);
        ProcessBuilder client =
                new CpuPin(0).java(flags(), SideClient.class, all).redirectOutput(ProcessBuilder.Redirect.INHERIT);
        client.environment().put(SideClient.KEY, account.key());
        Process process = client.start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }

    /** The same heap for both contenders. */
    private List<String> flags() {
        List<String> flags = new ArrayList<>(List.of("-Xms1g", "-Xmx1g"));
        if (options.recording() != null) {
            flags.add("-XX:StartFlightRecording=settings=profile,filename=" + options.recording());
        }
        return flags;
    }
}

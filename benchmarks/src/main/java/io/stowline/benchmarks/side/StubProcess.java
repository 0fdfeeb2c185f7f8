package io.stowline.benchmarks.side;

import io.stowline.benchmarks.machine.CpuPin;
import io.stowline.benchmarks.side.stub.StubServer;
import io.stowline.benchmarks.side.work.Account;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** A stub server in its own process, bound to the second core. */
public final class StubProcess implements AutoCloseable {

    private static final String NAME = "acct";
    private static final String KEY =
            Base64.getEncoder().encodeToString("a key that opens nothing".getBytes(StandardCharsets.UTF_8));

    private final Process process;
    private final int port;

    private StubProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts one whose responses take this long. */
    public static StubProcess start(int delayMillis) throws IOException {
        return start(delayMillis, 0);
    }

    /** Starts one with a target in entities per second; 0 is none. */
    public static StubProcess start(int delayMillis, int entitiesPerSecond) throws IOException {
        Process process = new CpuPin(1)
                .java(
                        List.of("-Xms256m", "-Xmx256m"),
                        StubServer.class,
                        List.of(Integer.toString(delayMillis), Integer.toString(entitiesPerSecond)))
                .start();
        String port = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        if (port == null) {
            throw new IOException("the stub server did not start");
        }
        return new StubProcess(process, Integer.parseInt(port));
    }

    public Account account() {
        return account(port);
    }

    public static Account account(int port) {
        return new Account("http://127.0.0.1:" + port + "/" + NAME, NAME, KEY);
    }

    @Override
    public void close() {
        process.destroy();
    }
}

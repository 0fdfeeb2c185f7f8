package io.stowline.testkit.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process that prints what the test says and ends when the test says so. */
public final class FakeProcess extends Process {

    public static final int KILLED = 137;
    public static final int TERMINATED = 143;

    private final InputStream output;
    private final OutputStream outputEnd;
    private final boolean obedient;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final List<String> signals = new ArrayList<>();

    private FakeProcess(InputStream output, OutputStream outputEnd, boolean obedient) {
        this.output = output;
        this.outputEnd = outputEnd;
        this.obedient = obedient;
    }

    /** A process that has printed this and ended. */
    public static FakeProcess ended(int code, String output) {
        FakeProcess process = new FakeProcess(
                new ByteArrayInputStream(output.getBytes(StandardCharsets.UTF_8)),
                OutputStream.nullOutputStream(),
                true);
        process.exit.complete(code);
        return process;
    }

    /** A process that has printed this and runs on. */
    public static FakeProcess running(String output) {
        return running(output, true);
    }

    /** A process that has printed this, runs on, and does not care about a request to end. */
    public static FakeProcess stubborn(String output) {
        return running(output, false);
    }

    private static FakeProcess running(String output, boolean obedient) {
        try {
            PipedOutputStream end = new PipedOutputStream();
            FakeProcess process = new FakeProcess(new PipedInputStream(end, 1 << 16), end, obedient);
            end.write(output.getBytes(StandardCharsets.UTF_8));
            end.flush();
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The output of an emulator that listens on these ports. */
    public static String listening(int blob, int queue, int table) {
        String line = "Azurite %s service is successfully listening at http://127.0.0.1:%d%n";
        return line.formatted("Blob", blob) + line.formatted("Queue", queue) + line.formatted("Table", table);
    }

    public List<String> signals() {
        return signals;
    }

    private void end(int code) {
        try {
            outputEnd.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        exit.complete(code);
    }

    @Override
    public long pid() {
        return 4711;
    }

    @Override
    public Stream<ProcessHandle> descendants() {
        return Stream.empty();
    }

    @Override
    public OutputStream getOutputStream() {
        return OutputStream.nullOutputStream();
    }

    @Override
    public InputStream getInputStream() {
        return output;
    }

    @Override
    public InputStream getErrorStream() {
        return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() {
        return exit.join();
    }

    // Time runs fast for a fake: what has not ended yet will not end within any timeout.
    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
        return exit.isDone();
    }

    @Override
    public int exitValue() {
        if (!exit.isDone()) {
            throw new IllegalThreadStateException("still running");
        }
        return exit.join();
    }

    @Override
    public void destroy() {
        signals.add("end");
        if (obedient) {
            end(TERMINATED);
        }
    }

    @Override
    public Process destroyForcibly() {
        signals.add("kill");
        end(KILLED);
        return this;
    }

    @Override
    public boolean isAlive() {
        return !exit.isDone();
    }
}

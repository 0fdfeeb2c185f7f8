package io.stowline.testkit.internal;

import io.stowline.testkit.TestkitException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One running emulator process whose output is read until it ends. Safe for use by several threads. */
public final class AzuriteProcess {

    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final OutputLog log;
    private final CompletableFuture<ServicePorts> ports = new CompletableFuture<>();
    private final Thread reader;

    private AzuriteProcess(Process process, OutputLog log) {
        this.process = process;
        this.log = log;
        this.reader = new Thread(this::read, "stowline-azurite-output-" + process.pid());
        reader.setDaemon(true);
    }

    /**
     * Starts the process and waits until all three services listen.
     *
     * @param command the prepared process
     * @param timeout how long to wait
     * @param log takes the output
     * @return the running emulator
     * @throws TestkitException if it ends, or is not ready in time
     */
    public static AzuriteProcess start(ProcessBuilder command, Launcher launcher, Duration timeout, OutputLog log) {
        AzuriteProcess started;
        try {
            started = new AzuriteProcess(launcher.start(command), log);
        } catch (IOException e) {
            throw new TestkitException("cannot start " + command.command().get(0) + ": " + e.getMessage(), e);
        }
        started.reader.start();
        started.awaitReady(timeout);
        return started;
    }

    private void awaitReady(Duration timeout) {
        try {
            ports.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            kill();
            throw new TestkitException("Azurite was not ready within " + timeout.toMillis() + " ms" + outputTail(), e);
        } catch (ExecutionException e) {
            kill();
            throw new TestkitException(
                    "Azurite ended with exit code " + process.exitValue() + " before it was ready" + outputTail(), e);
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
            throw new TestkitException("interrupted while Azurite started", e);
        }
    }

    private String outputTail() {
        String tail = log.tail();
        return tail.isEmpty() ? "; it printed nothing" : "; its output ends with:\n" + tail;
    }

    private void read() {
        PortLines lines = new PortLines();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                log.add(line);
                lines.accept(line).ifPresent(ports::complete);
            }
            ports.completeExceptionally(new IOException("the output ended"));
        } catch (IOException e) {
            // A killed process takes its pipe with it; after the start no thread waits for this.
            ports.completeExceptionally(e);
        }
    }

    /**
     * Returns the ports of the three services.
     *
     * @return the ports that the process took
     */
    public ServicePorts ports() {
        return ports.join();
    }

    /**
     * Returns the handle of the process.
     *
     * @return a handle that outlives the process
     */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /**
     * Returns whether the process still runs.
     *
     * @return {@code false} once it has ended
     */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Requests the end of the process, and kills it after five seconds. */
    public void stop() {
        process.destroy();
        if (!awaitEnd()) {
            kill();
        }
        awaitOutput();
    }

    /** Ends the process at once; with its data in memory there is nothing to save. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
        awaitOutput();
    }

    private boolean awaitEnd() {
        try {
            return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void awaitOutput() {
        try {
            reader.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

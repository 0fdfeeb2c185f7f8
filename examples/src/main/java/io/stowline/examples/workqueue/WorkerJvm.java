package io.stowline.examples.workqueue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.workqueue.QueueWorker.Setup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The process of a {@link QueueWorker}. It ends with this process, since its input does. Used by one thread; events come on another one.
 */
final class WorkerJvm implements AutoCloseable {

    private static final int SHOWN = 1_000;

    private final Process process;
    private final Path errors;
    private final CountDownLatch read = new CountDownLatch(1);

    private WorkerJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /**
     * Starts a worker, whose events wait until they are {@link #listen listened} to.
     *
     * @param setup what it needs to know
     * @param connectionString the account, which goes through the environment, where other users cannot see it
     * @param errors the file for what it logs
     * @throws IOException if the process cannot be started
     */
    static WorkerJvm start(Setup setup, String connectionString, Path errors) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                QueueWorker.class.getName()));
        command.addAll(setup.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put(ProgramAccount.VARIABLE, connectionString);
        return new WorkerJvm(builder.start(), errors);
    }

    /** Begins to read its events, and gives them on one after the other. */
    void listen(Consumer<WorkerEvent> events) {
        Thread reader = new Thread(() -> read(events), "events of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Consumer<WorkerEvent> events) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                WorkerEvent.parse(line).ifPresent(events);
            }
        } catch (IOException e) {
            // The process was killed, and its pipe with it.
        } finally {
            read.countDown();
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills the process, which cannot notice, and waits for its last events. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        read.await();
    }

    /** Has the worker stop without waiting for it. */
    void stop() {
        try {
            process.getOutputStream().write((QueueWorker.STOP_COMMAND + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended already.
        }
    }

    /** Waits for the end of the process and its last events, and returns whether it ended in time and by itself. */
    boolean awaitEnd(Duration time) throws InterruptedException {
        if (!process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            return false;
        }
        read.await();
        return process.exitValue() == 0;
    }

    /** Returns its exit code, and the last part of its log. */
    String ending() {
        String code = "exit code " + process.exitValue();
        try {
            String log = Files.readString(errors).strip();
            return log.isEmpty() ? code : code + ": " + log.substring(Math.max(0, log.length() - SHOWN));
        } catch (IOException e) {
            return code;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.WorkerLog.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running program, such as a {@link ConsumerWorker}, whose events go to a log. Used by one thread. */
final class WorkerProcess implements AutoCloseable {

    private static final Duration GUARD = Duration.ofSeconds(60);

    private final int number;
    private final Process process;
    private final Path errors;
    private final Thread reader;

    private WorkerProcess(int number, Process process, Path errors, WorkerLog log) {
        this.number = number;
        this.process = process;
        this.errors = errors;
        this.reader = new Thread(() -> read(log), "log of worker " + number);
        reader.start();
    }

    static WorkerProcess start(
            int number, String connectionString, String queue, int concurrency, Path folder, WorkerLog log)
            throws IOException {
        return start(number, ConsumerWorker.class, folder, log, connectionString, queue, String.valueOf(concurrency));
    }

    /** Starts a program that prints events. */
    static WorkerProcess start(int number, Class<?> program, Path folder, WorkerLog log, String... arguments)
            throws IOException {
        Path errors = folder.resolve("worker" + number + ".log");
        Process process = ForkedJvm.of(program, List.of("-Xmx128m", "-XX:+UseSerialGC"), arguments)
                .redirectError(errors.toFile())
                .start();
        return new WorkerProcess(number, process, errors, log);
    }

    /** Sends the process a signal, such as {@code STOP}. */
    void signal(String signal) throws IOException, InterruptedException {
        Process sent = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(sent.waitFor()).as("kill -" + signal).isZero();
    }

    private void read(WorkerLog log) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.add(Event.of(number, line));
            }
        } catch (IOException closed) {
            // The process was killed.
        }
    }

    int number() {
        return number;
    }

    /** Gives the process a line. */
    void command(String line) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Kills the process, which cannot notice, and returns the time of day before. */
    long kill() throws InterruptedException {
        long time = System.currentTimeMillis();
        process.destroyForcibly();
        awaitExit(137);
        return time;
    }

    /** Waits until the process and its log have ended. */
    void awaitExit(int code) throws InterruptedException {
        assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS))
                .as("%s", this)
                .isTrue();
        reader.join(GUARD.toMillis());
        assertThat(process.exitValue()).as("%s", this).isEqualTo(code);
    }

    /** Names the process and what it has printed as an error. */
    @Override
    public String toString() {
        try {
            return "worker " + number + ": " + Files.readString(errors);
        } catch (IOException e) {
            return "worker " + number + ": " + e;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package io.stowline.spark.cluster;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The JVM of a driver that {@code spark-submit} starts with two executors, each in a JVM with one slot. It runs one {@link ClusterProgram},
 * which takes commands.
 */
final class SparkDriver implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Process process;
    private final Path output;
    private final BufferedWriter commands;
    private int sent;

    private SparkDriver(Process process, Path output) {
        this.process = process;
        this.output = output;
        this.commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts the driver.
     *
     * @param settings of Spark
     * @param environment variables of driver and executors
     */
    static SparkDriver start(SparkHome home, Map<String, String> settings, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                home.submit().toString(),
                "--jars",
                home.packages().stream().map(Path::toString).collect(Collectors.joining(",")),
                "--class",
                ClusterProgram.class.getName()));
        settings.forEach((name, value) -> command.addAll(List.of("--conf", name + "=" + value)));
        command.add(home.program().toString());
        Path output = home.folder().resolve("driver.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SPARK_HOME", home.folder().toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return new SparkDriver(builder.start(), output);
    }

    /** Sends a command, and returns its number. */
    int send(String... words) throws IOException {
        sent++;
        commands.write(sent + " " + String.join(" ", words));
        commands.newLine();
        commands.flush();
        return sent;
    }

    /** Waits for the end of a command and returns the last line of its output, which begins with {@code DONE} or {@code FAILED}. */
    String await(int command) throws IOException, InterruptedException {
        String prefix = ClusterProgram.PREFIX + command + " ";
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            boolean alive = !process.waitFor(50, TimeUnit.MILLISECONDS);
            for (String line : log().split("\n")) {
                if (line.startsWith(prefix)) {
                    return line.substring(prefix.length());
                }
            }
            if (!alive || System.nanoTime() > end) {
                throw new IllegalStateException("command " + command + " has no end; the driver is "
                        + (alive ? "alive" : "dead") + ":\n" + tail());
            }
        }
    }

    String run(String... words) throws IOException, InterruptedException {
        return await(send(words));
    }

    /** Returns the JVMs of executors. */
    List<ProcessHandle> executors() {
        return process.descendants()
                .filter(child -> child.info()
                        .commandLine()
                        .filter(line -> line.contains("CoarseGrainedExecutorBackend"))
                        .isPresent())
                .toList();
    }

    String log() throws IOException {
        return Files.readString(output);
    }

    private String tail() throws IOException {
        String log = log();
        return log.substring(Math.max(0, log.length() - 8_000));
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> children = process.descendants().toList();
        Stream.concat(Stream.of(process.toHandle()), children.stream()).forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
    }
}

package io.stowline.examples.activities;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.activities.ActivityProducer.Order;
import io.stowline.examples.shared.JobFailedException;
import io.stowline.examples.shared.ProgramAccount;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The processes that produce activities, one after the other, and the chart of their rates. Not thread-safe. */
final class ProducerRuns {

    private static final int SHOWN = 1_000;

    private final RateChart chart = new RateChart();
    private final String connectionString;
    private final Path folder;
    private final long begin = System.nanoTime();

    ProducerRuns(String connectionString, Path folder) {
        this.connectionString = connectionString;
        this.folder = folder;
    }

    RateChart chart() {
        return chart;
    }

    /**
     * Runs a process to its end, and returns its last event.
     *
     * @throws JobFailedException if the process has not ended as it should
     */
    ProducerEvent run(Order order) throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        Process process = start(order, errors);
        Optional<ProducerEvent> last = Optional.empty();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<ProducerEvent> event = ProducerEvent.parse(line);
                if (event.isPresent()) {
                    long before = last.map(ProducerEvent::accepted).orElse(0L);
                    chart.add(millis(), event.get().accepted() - before);
                    last = event;
                }
            }
            int code = process.waitFor();
            if (code != (order.halts() ? ProducerEvent.HALTED : 0) || last.isEmpty()) {
                String log = Files.readString(errors).strip();
                throw new JobFailedException("the producer has ended with exit code " + code + ": "
                        + log.substring(Math.max(0, log.length() - SHOWN)));
            }
        } finally {
            process.destroyForcibly();
        }
        if (order.halts()) {
            chart.halt(millis());
        }
        return last.get();
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    private Process start(Order order, Path errors) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ActivityProducer.class.getName()));
        command.addAll(order.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().put(ProgramAccount.VARIABLE, connectionString); // other users cannot see it there
        return builder.start();
    }
}

package io.stowline.examples.workqueue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@AzuriteTest
@Timeout(300)
class WorkQueueTest {

    private static final Pattern QUEUE = Pattern.compile("jobs go to the queue (jobs\\w+)");
    private static final Pattern BUSY = Pattern.compile("worker 1: \\d+");
    private static final int LONG_SECONDS = 120;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void eachJobHasOneResultAlthoughAWorkerIsKilled(Azurite azurite) throws InterruptedException {
        // The jobs outlast the first poll of each worker, and end before the lease of the killed one.
        int code = run(azurite, "--jobs", "160", "--work", "200", "--handlers", "2");

        assertThat(code).as(() -> shown() + err.toString(UTF_8)).isZero();
        assertThat(shown())
                .contains("Worker 3 starts as process ", "Worker 2 is killed; ")
                .contains("Job 5 is poison: failed 3 times, java.lang.IllegalStateException: job 5 fails on purpose")
                .containsPattern("with a result +159\n")
                .containsPattern("taken over from the killed worker +[1-9]")
                .endsWith("Each job has one result, but the one that is poison.\n")
                .doesNotContain("AccountKey");
        assertThat(remains(azurite, queue(shown()))).isEmpty();
    }

    @Test
    void aWrongAccountIsRefusedWithoutItsKey() throws InterruptedException {
        int code = WorkQueue.PROGRAM.run(
                List.of("--connection-string", "AccountName=a;AccountKey=secret!"), Map.of(), print(out), print(err));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(UTF_8)).startsWith("--connection-string: ").doesNotContain("secret");
    }

    @Test
    void showsItsOptions(Azurite azurite) throws InterruptedException {
        assertThat(run(azurite, "--help")).isZero();
        assertThat(shown()).isEqualTo(WorkQueueOptions.HELP);
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void stopsItsWorkersAtASignal(Azurite azurite) throws Exception {
        Process program = start(azurite, 1);
        List<ProcessHandle> workers = List.of();
        try (BufferedReader lines = program.inputReader(UTF_8)) {
            List<String> seen = readUntil(BUSY, lines);
            workers = program.children().toList();

            program.toHandle().destroy();
            lines.lines().forEach(seen::add);

            assertThat(program.waitFor()).isEqualTo(128 + 15);
            assertThat(seen).contains("Stopped by a signal; the workers have given back what they had not begun.");
            assertThat(seen).anyMatch(line -> line.endsWith("worker 1 stopped: -"));
            assertThat(workers).hasSize(1).noneMatch(ProcessHandle::isAlive);
            assertThat(remains(azurite, queue(String.join("\n", seen)))).isEmpty();
        } finally {
            program.destroyForcibly();
            workers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    @Tag("soak")
    void leavesNoWorkerBehindWhenItIsKilled(Azurite azurite) throws Exception {
        Process program = start(azurite, 2);
        List<ProcessHandle> workers = List.of();
        try (BufferedReader lines = program.inputReader(UTF_8)) {
            List<String> seen = readUntil(BUSY, lines);
            workers = program.children().toList();
            assertThat(workers).hasSize(2).allMatch(ProcessHandle::isAlive);

            program.destroyForcibly().waitFor();

            for (ProcessHandle worker : workers) {
                worker.onExit().get(LONG_SECONDS, TimeUnit.SECONDS);
            }
            assertThat(remove(azurite, queue(String.join("\n", seen)))).isTrue();
        } finally {
            program.destroyForcibly();
            workers.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static Process start(Azurite azurite, int workers) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                WorkQueue.class.getName(),
                "--workers",
                String.valueOf(workers),
                "--no-kill",
                "--work",
                "500");
        builder.environment().put(ProgramAccount.VARIABLE, azurite.connectionString());
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static List<String> readUntil(Pattern pattern, BufferedReader lines) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            seen.add(line);
            if (pattern.matcher(line).find()) {
                return seen;
            }
        }
        throw new IOException("the program ended with " + seen);
    }

    private static String queue(String output) {
        Matcher matcher = QUEUE.matcher(output);
        assertThat(matcher.find()).as(output).isTrue();
        return matcher.group(1);
    }

    /** The rest that the program has left of its queues and its table. */
    private static List<String> remains(Azurite azurite, String name) {
        List<String> found = new ArrayList<>();
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            for (String queue : List.of(name, name + "-poison")) {
                if (storage.queue(queue).exists()) {
                    found.add("queue " + queue);
                }
            }
            storage.listTables().stream().filter(name::equals).forEach(found::add);
        }
        return found;
    }

    /** Removes what a killed program could not, and returns whether it was there. */
    private static boolean remove(Azurite azurite, String name) {
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            return storage.queue(name).dropIfExists()
                    && storage.table(name, JobResult.class).dropIfExists();
        }
    }

    private int run(Azurite azurite, String... arguments) throws InterruptedException {
        return WorkQueue.PROGRAM.run(
                List.of(arguments),
                Map.of(ProgramAccount.VARIABLE, azurite.connectionString()),
                print(out),
                print(err));
    }

    private static PrintStream print(ByteArrayOutputStream stream) {
        return new PrintStream(stream, true, UTF_8);
    }

    private String shown() {
        return out.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }
}

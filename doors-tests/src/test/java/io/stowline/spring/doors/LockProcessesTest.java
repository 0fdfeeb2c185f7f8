package io.stowline.spring.doors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Locks of several processes, which stop and are killed. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class LockProcessesTest {

    private static final long SEED = 48;

    /** The rest of the lease, a poll of a waiter, and a loaded machine. */
    private static final Duration HANDOVER = LockWorker.LEASE.plusSeconds(10);

    private final List<Worker> workers = new ArrayList<>();
    private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
    private final List<Line> seen = new ArrayList<>();

    private record Line(Worker worker, String event, long number, int value) {}

    private final class Worker {

        private final Process process;

        Worker(Azurite azurite) throws IOException {
            process = OtherProcess.of(LockWorker.class, azurite.connectionString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Thread reader = new Thread(this::read, "reader of " + process.pid());
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader output = process.inputReader(UTF_8)) {
                for (String text = output.readLine(); text != null; text = output.readLine()) {
                    String[] words = text.split(" ", -1);
                    boolean wrote = words[0].equals("wrote");
                    lines.add(
                            new Line(this, words[0], Long.parseLong(words[1]), wrote ? Integer.parseInt(words[2]) : 0));
                }
            } catch (IOException e) {
                lines.add(new Line(this, "ended", 0, 0));
            }
        }

        void signal(String signal) throws Exception {
            assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    @AfterEach
    void end() {
        workers.forEach(worker -> worker.process.destroyForcibly());
    }

    private Line next(Predicate<Line> wanted, Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        while (true) {
            Line line = lines.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            assertThat(line).as("a line within %s after %s", within, seen).isNotNull();
            seen.add(line);
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    private Line writes(int times) throws InterruptedException {
        Line line = next(any -> any.event().equals("wrote"), HANDOVER);
        for (int i = 1; i < times; i++) {
            line = next(any -> any.event().equals("wrote"), HANDOVER);
        }
        return line;
    }

    @Test
    @Timeout(90)
    @DisplayName("LEASE-1 LEASE-2: a holder that stops or is killed is followed within its lease, and no write of an"
            + " earlier holder passes one of a later one")
    void survivesStopsAndKills(Azurite azurite) throws Exception {
        Random random = new Random(SEED);
        try (Stowline client = Stowline.connect(azurite.connectionString())) {
            BlobContainer container = client.container(LockWorker.CONTAINER);
            container.createIfMissing();
            container.upload("0".getBytes(UTF_8), LockWorker.COUNTER, with -> with.overwrite());
            for (int i = 0; i < 3; i++) {
                workers.add(new Worker(azurite));
            }
            Worker stopped = writes(1 + random.nextInt(20)).worker();
            stopped.signal("STOP");
            Line afterStop = next(line -> line.event().equals("holds") && line.worker() != stopped, HANDOVER);
            Worker killed = writes(1 + random.nextInt(5)).worker();
            killed.process.destroyForcibly();
            assertThat(killed).isNotSameAs(stopped);
            stopped.signal("CONT");
            Line afterKill = next(
                    line -> line.event().equals("holds")
                            && line.number() > afterStop.number()
                            && line.worker() != killed,
                    HANDOVER);
            assertThat(afterKill.number()).isGreaterThan(afterStop.number());
            next(
                    line -> line.event().equals("wrote")
                            && line.worker() == stopped
                            && line.number() > afterStop.number(),
                    HANDOVER);
            end();

            assertCounted(Integer.parseInt(new String(container.download(LockWorker.COUNTER), UTF_8)));
        }
    }

    /** Each value was written once, by numbers that grow with the values: no holder has overwritten another one. */
    private void assertCounted(int last) {
        lines.drainTo(seen);
        List<Line> written = seen.stream()
                .filter(line -> line.event().equals("wrote"))
                .sorted((one, other) -> Integer.compare(one.value(), other.value()))
                .toList();
        assertThat(written).extracting(Line::value).doesNotHaveDuplicates();
        assertThat(written).extracting(Line::number).isSorted();
        assertThat(seen.stream().filter(line -> line.event().equals("holds")))
                .extracting(Line::number)
                .doesNotHaveDuplicates();
        assertThat(last)
                .as("the last value; what was written at the moment of a kill has no line")
                .isBetween(written.size(), written.size() + workers.size());
    }

    @Test
    void locksAndRunsTasksInUnderThirtyLines(Azurite azurite, @TempDir Path folder, CapturedOutput output)
            throws Exception {
        DocumentedApplication.of("spring-locks.md", "nightly.NightlyApplication")
                .with("stowline.locks.container=locks")
                .with("stowline.shedlock.table=state")
                .run(azurite, folder, context -> {
                    assertThat(output).contains("report 1");
                    Stowline client = context.getBean(Stowline.class);
                    assertThat(client.container("reports").download("today.csv"))
                            .isEqualTo("run,1".getBytes(UTF_8));
                    RunningApplication.until(
                            "the row of the lock",
                            () -> client.table("state").find("cleaning", "lock").isPresent());
                });
        assertThat(output).contains("cleaned");
    }
}

package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordStream;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that write numbered records into blobs are killed at seeded moments, while responses are lost and the service is busy. More by
 * {@code -Dstowline.records=1000000 -Dstowline.kills=50}, which are numbers for each target, and {@code -Dstowline.targets=append}.
 */
@AzuriteTest
@Timeout(1_800)
class RecordKillIT {

    private static final Duration GUARD = Duration.ofSeconds(120);
    private static final int RECORDS = Integer.getInteger("stowline.records", 20_000);
    private static final int KILLS = Integer.getInteger("stowline.kills", 4);
    private static final String TARGETS = System.getProperty("stowline.targets", "block append");
    private static final long SEED = Long.getLong("stowline.seed", 45);

    /** Few requests need more faults. */
    private static final double LOST = RECORDS > 100_000 ? 0.01 : 0.05;

    private static final RequestMatch WRITES = requests().method("PUT");

    private final Random random = new Random(SEED);
    private final String name = "r" + UUID.randomUUID().toString().replace("-", "");

    /** The numbers that were accepted last, by run and thread; -1 before the first one. */
    private final List<int[]> accepted = new ArrayList<>();

    private final List<String> ends = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private Azurite azurite;
    private FaultProxy proxy;
    private Stowline storage;
    private BlobContainer container;
    private Optional<SentRequest> late = Optional.empty();
    private int torn;
    private int lateOnes;

    @TempDir
    Path folder;

    @BeforeEach
    void start(Azurite emulator) {
        azurite = emulator;
        proxy = FaultProxy.builder()
                .inFrontOf(azurite)
                .seed(SEED)
                .recordedExchanges(10)
                .start();
        storage = Stowline.connect(azurite.connectionString());
        container = storage.container(name);
        container.create();
    }

    @AfterEach
    void stop() {
        if (RECORDS <= 100_000) { // thousands of blobs would stop the emulator for minutes
            container.dropIfExists();
        }
        storage.close();
        proxy.close();
    }

    /** Storms of 503, of which some come although the write was carried out. */
    private static final class Storms {

        private final Random lengths = new Random(SEED);
        private int left;
        private boolean storm;

        synchronized boolean strike(SentRequest request) {
            if (left == 0) {
                storm = !storm;
                left = storm ? 1 + lengths.nextInt(8) : 20 + lengths.nextInt(120);
            }
            left--;
            return storm;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "append"})
    @DisplayName(
            "RECORD-1, RECORD-3: of processes that are killed no accepted record is lost, none is there twice, and their"
                    + " order is kept")
    void killed(String target) throws Exception {
        assumeThat(TARGETS).contains(target);
        long begin = System.nanoTime();
        Instant from = Instant.now().minusSeconds(60);
        Storms storms = new Storms();
        StubResponse busy = StubResponse.error(503, "ServerBusy", "The server is busy.");
        List<FaultRule> faults = List.of(
                proxy.when(WRITES.when("storm", storms::strike)).respond(busy),
                proxy.when(WRITES.chance(LOST)).loseResponse(),
                proxy.when(WRITES.chance(LOST / 2)).reset(),
                proxy.when(WRITES.chance(LOST / 2)).forwardThenRespond(busy));
        for (int kill = 0; kill < KILLS; kill++) {
            int planned = Math.max(RecordProcess.THREADS, (RECORDS - total()) / (KILLS + 1 - kill));
            run(target, Integer.MAX_VALUE, planned / 3 + random.nextInt(1 + planned * 4 / 3));
            tear();
        }
        run(target, Math.max(1, (RECORDS - total()) / RecordProcess.THREADS), Integer.MAX_VALUE);
        faults.forEach(FaultRule::remove);
        long written = System.nanoTime();

        assertThat(warnings).as("each torn record is reported").hasSizeGreaterThanOrEqualTo(torn);
        assertThat(ends).hasSize(1);
        assertThat(ends.get(0)).as("all are written").matches("E ([0-9]+) \\1 0 0");
        long found = check(target, from);
        System.out.printf(
                "%s: %,d records accepted, %,d found, %d kills, %d torn ends, %d late requests, %,d requests, faults %s,"
                        + " %d s to write, %d s to read%n",
                target,
                total(),
                found,
                KILLS,
                torn,
                lateOnes,
                proxy.traffic().requests(),
                faults.stream().map(FaultRule::hits).toList(),
                TimeUnit.NANOSECONDS.toSeconds(written - begin),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - written));
    }

    private int total() {
        return accepted.stream()
                .flatMapToInt(Arrays::stream)
                .map(last -> last + 1)
                .sum();
    }

    /** Lets a process write, and kills it once it has written so many records or sends the request of a chosen moment. */
    private void run(String target, int records, int kill) throws Exception {
        boolean killed = kill < Integer.MAX_VALUE;
        int run = accepted.size();
        int[] last = new int[RecordProcess.THREADS];
        Arrays.fill(last, -1);
        accepted.add(last);
        RequestHold hold = new RequestHold();
        boolean before = run % 4 == 0;
        boolean behind = run % 4 == 2;
        RequestMatch nth = WRITES.nth(1 + random.nextInt(1 + Math.min(kill, RECORDS) / 400));
        Optional<FaultRule> rule = !killed || !before && !behind
                ? Optional.empty()
                : Optional.of(
                        before
                                ? proxy.when(nth).holdBefore(hold)
                                : proxy.when(nth).holdAfter(hold));
        Process process = ForkedJvm.of(
                        RecordProcess.class,
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        proxy.storage().connectionString(),
                        name,
                        target,
                        folder.resolve("journal").toString(),
                        String.valueOf(run),
                        String.valueOf(records))
                .redirectError(folder.resolve("log").toFile())
                .start();
        Thread reader = new Thread(() -> read(process, run, kill));
        reader.start();
        try {
            while (process.isAlive() && hold.arrivals() == 0) {
                process.waitFor(5, TimeUnit.MILLISECONDS);
            }
        } finally {
            if (killed) {
                kill(process);
            }
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
            reader.join();
            rule.ifPresent(FaultRule::remove);
            hold.release();
        }
        assertThat(process.exitValue()).as(() -> "run " + run + "\n" + log()).isEqualTo(killed ? 137 : 0);
        proxy.awaitIdle(GUARD);
        if (before && hold.arrivals() > 0) {
            // It is on its way when the next process has begun.
            late = Optional.of(hold.awaitArrived(GUARD));
        }
    }

    /** Leaves the pipe open, in which there are lines; {@link Process#destroyForcibly} would close it. */
    private static void kill(Process process) {
        process.toHandle().destroyForcibly();
    }

    private void read(Process process, int run, int kill) {
        int left = kill;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                note(line, run);
                if (--left == 0) {
                    kill(process);
                }
                if (late.isPresent() && line.startsWith("A ")) {
                    arrive(late.get());
                    late = Optional.empty();
                }
            }
        } catch (IOException closed) {
            // The process was killed.
        }
    }

    private void note(String line, int run) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "A" -> accepted.get(run)[Integer.parseInt(words[1])] = Integer.parseInt(words[2]);
            case "W" -> warnings.add(line);
            default -> ends.add(line);
        }
    }

    /** Sends what a killed process had sent. */
    private void arrive(SentRequest request) throws IOException {
        URI endpoint = azurite.blobEndpoint();
        StringBuilder head = new StringBuilder(request.method() + " " + request.target() + " HTTP/1.1\r\n");
        for (Map.Entry<String, String> header : request.headerLines()) {
            head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write((head + "\r\n").getBytes(US_ASCII));
            out.write(request.body());
            out.flush();
            lateOnes++;
            assertThat(socket.getInputStream().read())
                    .as("the begin of a response")
                    .isEqualTo('H');
        }
    }

    /** Leaves the begin of a record at the end of the newest file of the journal. */
    private void tear() throws IOException {
        if (random.nextBoolean()) {
            return;
        }
        Optional<Path> newest;
        try (Stream<Path> files = Files.list(folder.resolve("journal"))) {
            newest = files.filter(file -> file.getFileName().toString().matches("spool\\.[0-9]+"))
                    .max(Comparator.comparing(
                            file -> Long.valueOf(file.getFileName().toString().substring("spool.".length()))));
        }
        if (newest.isPresent()) {
            byte[] written = new byte[1 + random.nextInt(RecordProcess.SIZE)];
            random.nextBytes(written);
            byte[] begin = ByteBuffer.allocate(5)
                    .put((byte) 'R')
                    .putInt(RecordProcess.SIZE)
                    .array();
            System.arraycopy(begin, 0, written, 0, Math.min(begin.length, written.length));
            Files.write(newest.get(), written, StandardOpenOption.APPEND);
            torn++;
        }
    }

    /** Compares the records with those that were accepted. */
    private long check(String target, Instant from) {
        List<int[]> next = new ArrayList<>();
        accepted.forEach(threads -> next.add(new int[threads.length]));
        long found = 0;
        try (RecordStream<String> records = RecordBlobs.in(container, RecordProcess.PREFIX)
                .read(RecordProcess.format(target), from, Instant.now().plusSeconds(60))) {
            for (String record : records) {
                String[] words = record.split(" ", 4);
                int run = Integer.parseInt(words[0]);
                int thread = Integer.parseInt(words[1]);
                int number = next.get(run)[thread]++;
                if (!record.equals(RecordProcess.content(run, thread, number))) {
                    assertThat(record).isEqualTo(RecordProcess.content(run, thread, number));
                }
                found++;
            }
        }
        for (int run = 0; run < next.size(); run++) {
            for (int thread = 0; thread < RecordProcess.THREADS; thread++) {
                int last = accepted.get(run)[thread];
                assertThat(next.get(run)[thread] - 1)
                        .as(
                                "the last record of thread %d in run %d; the one after the last line may be there",
                                thread, run)
                        .isBetween(last, last + 1);
            }
        }
        return found;
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}

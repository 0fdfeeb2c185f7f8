package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobReplicas;
import io.stowline.blob.ReplicaReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.retry.Backoff;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of hot blobs and the spread of their reads, over an account in memory, since the emulator has no such copies. */
@Timeout(120)
class ReplicaProcessesIT {

    private static final int BLOBS = 120;
    private static final int PROCESSES = 3;
    private static final int TIMES = 2;
    private static final int INSTANCES = 300;

    /** A chi squared that one or two degrees of freedom exceed by chance in one of 100,000 runs. */
    private static final double UNLIKELY = 23.1;

    @TempDir
    Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private MemoryServer server;
    private FaultProxy proxy;
    private Stowline storage;
    private BlobReplicas publisher;

    @BeforeEach
    void start() throws IOException {
        server = new MemoryServer(memory);
        proxy = FaultProxy.builder().inFrontOf(server.endpoint()).start();
        storage = Stowline.builder()
                .connectionString(server.connectionString(proxy.endpoint()))
                .retry(retry -> retry.retries(1).backoff(Backoff.fixed(Duration.ofMillis(1))))
                .build();
        Stream.concat(Stream.of("first"), ReplicaProcess.OTHERS.stream())
                .forEach(name -> storage.container(name).create());
        publisher = ReplicaProcess.of(storage);
    }

    @AfterEach
    void stop() {
        storage.close();
        proxy.close();
        server.close();
    }

    private void upload(String name, String content) {
        storage.container("first").upload(content.getBytes(StandardCharsets.UTF_8), name, o -> o.overwrite());
    }

    private static List<Action> actions(ReplicaReport report) {
        return report.copies().stream().map(copy -> copy.action()).toList();
    }

    /** Returns the reads by container, newest requests first to last. */
    private Map<String, Long> reads() {
        return gets().stream()
                .collect(Collectors.groupingBy(path -> path.split("/", -1)[1], TreeMap::new, Collectors.counting()));
    }

    private List<String> gets() {
        return memory.requests().stream()
                .filter(request -> request.startsWith("GET /"))
                .map(request -> request.substring("GET ".length()))
                .toList();
    }

    private static double chiSquared(Collection<Long> counts, int all, int places) {
        double expected = (double) all / places;
        double squared = counts.stream()
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
        return squared + (places - counts.size()) * expected;
    }

    @Test
    @DisplayName("B1: processes spread their reads evenly over the copies, and each reads one blob from one copy")
    void processesSpread() throws Exception {
        for (int i = 0; i < BLOBS; i++) {
            upload(ReplicaProcess.name(i), "blob " + i);
            assertThat(actions(publisher.publish(ReplicaProcess.name(i))))
                    .containsExactly(Action.TRANSFERRED, Action.TRANSFERRED);
        }
        assertThat(gets()).as("content that went through the publisher").isEmpty();
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(ForkedJvm.of(
                            ReplicaProcess.class,
                            List.of("-Xmx128m", "-XX:+UseSerialGC"),
                            server.connectionString(server.endpoint()),
                            Integer.toString(BLOBS),
                            Integer.toString(TIMES))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("reader" + i).toFile())
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }

        Map<String, Long> reads = reads();
        System.out.println("reads of " + PROCESSES + " processes by container: " + reads);
        assertThat(reads.values().stream().mapToLong(count -> count).sum()).isEqualTo(BLOBS * PROCESSES * TIMES);
        // The choices are one for each process and blob; further reads repeat them.
        assertThat(chiSquared(
                        reads.values().stream().map(count -> count / TIMES).toList(), BLOBS * PROCESSES, 3))
                .as("reads by container: " + reads)
                .isLessThan(UNLIKELY);
        assertThat(gets().stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting())))
                .allSatisfy((path, count) -> assertThat(count % TIMES).as(path).isZero());
    }

    @Test
    @DisplayName("B1: instances whose copy throttles spread evenly over the other copies, by one further read each")
    void secondChoicesSpread() {
        upload("model", "content");
        publisher.publish("model");
        Map<String, Long> choices = spread();
        FaultRule throttled = proxy.when(RequestMatch.requests().method("GET").path("**/second/**"))
                .respond(StubResponse.error(503, "ServerBusy", "throttled"));
        Map<String, Long> others = spread();
        throttled.remove();

        System.out.println("reads of " + INSTANCES + " instances by container: " + choices + ", and with one that"
                + " throttles: " + others);
        assertThat(chiSquared(choices.values(), INSTANCES, 3)).as("%s", choices).isLessThan(UNLIKELY);
        assertThat(others).containsOnlyKeys("first", "third");
        long moved = choices.get("second");
        assertThat(chiSquared(
                        List.of(others.get("first") - choices.get("first"), others.get("third") - choices.get("third")),
                        (int) moved,
                        2))
                .as("second choices of %d instances, from %s to %s", moved, choices, others)
                .isLessThan(UNLIKELY);
        assertThat(spread()).isEqualTo(choices);
    }

    /** Reads by many instances, each with its number as its seed; returns those that reached the account by container. */
    private Map<String, Long> spread() {
        long before = gets().size();
        IntStream.range(0, INSTANCES)
                .mapToObj(seed ->
                        storage.container("first").replicas(ReplicaProcess.containers(storage), o -> o.seed(seed)))
                .forEach(instance ->
                        assertThat(instance.download("model")).asString().isEqualTo("content"));
        return gets().stream()
                .skip(before)
                .collect(Collectors.groupingBy(path -> path.split("/", -1)[1], TreeMap::new, Collectors.counting()));
    }

    @Test
    @DisplayName("B1, COPY-1: readers beside publications and failures see whole versions, never an older one again")
    void readersBesidePublications() throws Exception {
        upload("model", "version 100");
        publisher.publish("model");
        List<Throwable> failures = new ArrayList<>();
        Thread reader = new Thread(() -> {
            BlobReplicas instance =
                    storage.container("first").replicas(ReplicaProcess.containers(storage), o -> o.seed(5));
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    assertThat(instance.download("model")).asString().matches("version 1[0-9][0-9]");
                }
            } catch (Throwable e) {
                if (!Thread.currentThread().isInterrupted()) {
                    failures.add(e);
                }
            }
        });
        reader.start();
        for (int version = 101; version <= 120; version++) {
            upload("model", "version " + version);
            FaultRule fault = version % 3 == 0
                    ? proxy.when(RequestMatch.requests()
                                    .method("PUT")
                                    .path("**/second/**")
                                    .times(2))
                            .respond(StubResponse.error(503, "ServerBusy", "throttled"))
                    : proxy.when(RequestMatch.requests()
                                    .method("PUT")
                                    .path("**/third/**")
                                    .times(1))
                            .loseResponse();
            assertThat(actions(publisher.publish("model")))
                    .containsExactly(version % 3 == 0 ? Action.FAILED : Action.TRANSFERRED, Action.TRANSFERRED);
            assertThat(storage.container("second").download("model"))
                    .as("a copy that failed keeps the version before")
                    .asString()
                    .isEqualTo("version " + (version % 3 == 0 ? version - 1 : version));
            fault.remove();
        }
        reader.interrupt();
        reader.join(20_000);

        assertThat(failures).isEmpty();
        assertThat(actions(publisher.publish("model"))).contains(Action.UNCHANGED);
        assertThat(actions(publisher.remove("model"))).containsExactly(Action.DELETED, Action.DELETED);
        assertThat(publisher.download("model")).asString().isEqualTo("version 120");
    }
}

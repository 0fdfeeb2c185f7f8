package io.stowline.retry.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.ModelClient;
import io.stowline.retry.ParallelismSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P2, P3: clients with separate gates against a model of a service, in virtual time; the seed is the last column. */
class AdaptiveSimulationTest {

    private static final int CONVERGED = 60;
    private static final boolean EXPLORED = Integer.getInteger("stowline.explore", 1) > 1;
    /** Seconds that are measured; a simulated second of the largest service has 2,000 requests. */
    private static final int MEASURED = EXPLORED ? 300 : 120;
    /** Seconds after which a limit that drifts has left its bounds by far. */
    private static final int LONG = EXPLORED ? 1_800 : 600;

    private final VirtualTime time = new VirtualTime();
    private final List<ModelClient> clients = new ArrayList<>();
    private ModelService service;
    private Random random;

    private void given(int slots, double work, int queue, int count, int stagger, long seed) {
        random = new Random(seed);
        service = new ModelService(time, random, slots, work, queue);
        for (int i = 0; i < count; i++) {
            ModelClient client = ModelClient.alone(time, random, service);
            clients.add(client);
            time.in(i * (double) stagger, () -> client.start(300));
        }
    }

    private void watch(int from, int to) {
        time.runUntil(from);
        clients.forEach(ModelClient::forget);
        service.refused = 0;
        int before = 0;
        double limits = 0;
        for (int second = from + 1; second <= to; second++) {
            time.runUntil(second);
            int done = clients.stream().mapToInt(client -> client.done).sum();
            assertThat(done - before).as("done in second %d", second).isGreaterThan((int) (service.capacity() / 4));
            before = done;
            limits += clients.stream()
                    .mapToInt(client -> client.account().limit())
                    .sum();
        }
        expectFullUse(to - from);
        assertThat(limits / (to - from) / needed())
                .as("mean of the limits' sum, 1 when it is what a busy service without a queue needs")
                .isBetween(0.94, 1.35);
    }

    /** Requests in flight that keep all slots busy and no queue. */
    private double needed() {
        return service.capacity() * service.unloaded();
    }

    private void expectFullUse(int seconds) {
        double done = clients.stream().mapToDouble(client -> client.done).sum();
        double median = medianLatency() / service.unloaded();
        assertThat(done / seconds / service.capacity())
                .as("share of the capacity")
                .isBetween(0.93, 1.01);
        assertThat(median).as("median latency, 1 when unloaded").isBetween(0.93, 1.35);
        assertThat(service.refused / done).as("refused for each that was done").isLessThan(0.12);
    }

    private double medianLatency() {
        int left = clients.stream().mapToInt(client -> client.done).sum() / 2;
        int tenths = 0;
        while (left > 0) {
            int each = tenths++;
            left -= clients.stream().mapToInt(client -> client.latencies[each]).sum();
        }
        return tenths / 10_000.0;
    }

    /** Jain's index: 1 when all get the same. */
    private double fairness() {
        double sum = clients.stream().mapToDouble(client -> client.done).sum();
        double squares = clients.stream()
                .mapToDouble(client -> (double) client.done * client.done)
                .sum();
        return sum * sum / (clients.size() * squares);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: clients use the service's whole capacity, in fair shares and with little queueing")
    @CsvSource({
        // slots, work, queue, clients, seconds between their starts, seed
        "32, 0.02, 8, 1, 0, 1",
        "32, 0.02, 200, 1, 0, 2",
        "40, 0.02, 20, 4, 0, 3",
        "40, 0.02, 400, 4, 0, 4",
        "40, 0.02, 400, 4, 10, 5",
        "40, 0.02, 20, 4, 10, 6",
        "16, 0.05, 10, 8, 0, 7",
        "200, 0.1, 50, 8, 0, 8",
        "200, 0.1, 1000, 8, 5, 9",
        "200, 0.1, 1000, 8, 5, 10",
        "100, 0.2, 1000, 3, 10, 11"
    })
    void usesTheCapacity(int slots, double work, int queue, int count, int stagger, long seed) {
        given(slots, work, queue, count, stagger, seed);

        int converged = (count - 1) * stagger + CONVERGED;
        // Shares even out the later the more clients there are.
        watch(converged, converged + Math.max(MEASURED, 40 * count));

        assertThat(fairness()).as("fairness").isGreaterThanOrEqualTo(0.93);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: converges again after the capacity has dropped, and after it has risen")
    @CsvSource({
        // slots before, slots after, queue, seed
        "64, 16, 16, 1",
        "64, 16, 500, 2",
        "64, 16, 500, 3",
        "16, 64, 16, 4",
        "16, 64, 500, 5",
        "16, 64, 500, 6",
    })
    void followsTheCapacity(int before, int after, int queue, long seed) {
        given(before, 0.02, queue, 2, 0, seed);
        time.runUntil(CONVERGED);

        service.become(after, 0.02);

        watch(2 * CONVERGED, 2 * CONVERGED + MEASURED);
        assertThat(fairness()).as("fairness").isGreaterThanOrEqualTo(0.93);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: a service that has become slower for good is used as before")
    @CsvSource({"32, 0.06, 500, 1", "100, 0.06, 500, 2", "32, 0.06, 16, 3", "32, 0.2, 500, 4"})
    void acceptsASlowerService(int slots, double slower, int queue, long seed) {
        given(slots, 0.02, queue, 2, 0, seed);
        time.runUntil(120);

        service.become(slots, slower);

        watch(120 + CONVERGED, 120 + CONVERGED + MEASURED);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: modest overload without any refusal does not make the limit grow without end (M15)")
    @ValueSource(longs = {1, 2})
    void doesNotDrift(long seed) {
        given(20, 0.01, 1_000_000, 1, 0, seed);

        time.runUntil(LONG);

        assertThat(clients.get(0).account().limit()).isBetween(24, 36);
        watch(LONG, LONG + MEASURED);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: no growth while it is not the limit that limits")
    @ValueSource(longs = {1, 2, 3})
    void doesNotGrowWhenAppLimited(long seed) {
        random = new Random(seed);
        service = new ModelService(time, random, 1_000, 0.02, 1_000);
        ModelClient client = ModelClient.alone(time, random, service);

        client.start(4);
        time.runUntil(300);

        assertThat(client.account().limit()).isEqualTo(8);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: one hot partition leaves the account's limit and the others alone")
    @ValueSource(longs = {1, 2, 3})
    void hotPartitionStaysAlone(long seed) {
        random = new Random(seed);
        PartitionedGate<String> gates = PartitionedGate.of(ParallelismSettings.adaptive(), time);
        service = new ModelService(time, random, 1_000, 0.02, 1_000);
        ModelService small = new ModelService(time, random, 4, 0.02, 4);
        ModelClient others = ModelClient.on("cold", time, random, service, gates);
        ModelClient hot = ModelClient.on("hot", time, random, small, gates);
        others.start(32);
        hot.start(200);

        time.runUntil(CONVERGED);
        others.forget();
        hot.forget();
        time.runUntil(CONVERGED + MEASURED);

        assertThat(gates.account().limit()).isEqualTo(64);
        assertThat(gates.limitedPartitions()).isEqualTo(1);
        assertThat(others.done / (double) MEASURED).isGreaterThan(0.98 * 32 / service.unloaded());
        assertThat(hot.done / (double) MEASURED).isGreaterThan(0.93 * small.capacity());
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: when three partitions throttle in one window the account is cut")
    @ValueSource(longs = {1, 2, 3})
    void threeHotPartitionsAreTheAccount(long seed) {
        random = new Random(seed);
        PartitionedGate<String> gates = PartitionedGate.of(ParallelismSettings.adaptive(), time);
        service = new ModelService(time, random, 12, 0.02, 4);
        for (String partition : List.of("a", "b", "c")) {
            ModelClient.on(partition, time, random, service, gates).start(100);
        }

        time.advance(Duration.ofMinutes(2));
        double mean = DoubleStream.generate(() -> {
                    time.advance(Duration.ofSeconds(1));
                    return gates.account().limit();
                })
                .limit(100)
                .average()
                .orElseThrow();

        assertThat(mean).isBetween(12.0, 18.0);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: a burst of refusals cuts the limit once")
    @CsvSource({"32, 8, 64, 1", "32, 8, 64, 2", "24, 8, 64, 3", "24, 8, 64, 4"})
    void cutsOnceForABurst(int slots, int queue, int peak, long seed) {
        given(slots, 0.02, queue, 1, 0, seed);
        Gate gate = clients.get(0).account();

        double refusal = 0;
        for (double second = 0; service.refused == 0 && second < 30; second += 0.01) {
            time.runUntil(second);
            refusal = second;
        }
        assertThat(gate.limit()).isBetween(peak / 2, peak);
        time.runUntil(refusal + 1.2);

        assertThat(service.refused).as("refusals of the burst").isGreaterThan(slots / 4);
        assertThat(gate.limit()).isBetween(peak / 4, peak * 85 / 100);
    }

    @ParameterizedTest
    @DisplayName("PERMIT-3: new work ramps up")
    @ValueSource(longs = {1, 2})
    void rampsUp(long seed) {
        given(1_000, 0.02, 0, 1, 0, seed);
        Gate gate = clients.get(0).account();
        List<Integer> limits = new ArrayList<>();
        for (double second = 0.5; second < 6; second++) {
            time.runUntil(second);
            limits.add(gate.limit());
        }

        assertThat(limits).startsWith(8);
        assertThat(limits).containsSubsequence(8, 16, 32, 64).endsWith(64);
    }
}

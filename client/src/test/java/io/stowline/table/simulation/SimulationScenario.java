package io.stowline.table.simulation;

import io.stowline.outcome.WriteMarkers;
import io.stowline.retry.Backoff;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.QuotaSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.table.WriterSettings;
import io.stowline.transport.internal.client.ClientSettings;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The scenario of one seed.
 *
 * @param operations how many operations are handed over
 * @param partitions over how many partitions
 * @param rows over how many entities of each
 * @param producers by how many producers
 * @param faults how often a request meets a fault
 * @param lossy whether they are such that most is to be found out afterwards
 * @param rivals how often another client writes, for each operation of ours
 * @param bodyLimit the size from which on a proxy responds with 413
 * @param large how often an operation is large
 * @param reporting whether the HTTP client reports its writes
 * @param quick whether attempts and operations are short
 * @param markers the writes that leave a marker
 * @param calmEnd whether the faults end before the end
 * @param lateCallbacks whether callbacks run some time later
 * @param throwing whether the listener throws
 * @param parallelism how many requests are in flight at most, 0 for an adaptive limit
 * @param quota what retries may cost, 0 for anything
 */
record SimulationScenario(
        int operations,
        int partitions,
        int rows,
        int producers,
        double faults,
        boolean lossy,
        double rivals,
        int bodyLimit,
        double large,
        boolean reporting,
        boolean quick,
        WriteMarkers markers,
        boolean calmEnd,
        boolean lateCallbacks,
        boolean throwing,
        int parallelism,
        int quota) {

    private static final List<WriteMarkers> MARKINGS = List.of(WriteMarkers.values());
    private static final int TABLE_GOES = 25;

    static SimulationScenario of(Random random) {
        boolean large = random.nextInt(20) == 0;
        boolean lossy = random.nextInt(5) == 0;
        return new SimulationScenario(
                large ? 40 : 100 + random.nextInt(100),
                random.nextInt(4) == 0 ? 40 : 1 + random.nextInt(3),
                random.nextInt(3) == 0 ? 60 : 2 + random.nextInt(5),
                1 + random.nextInt(4),
                lossy ? 0.7 : new double[] {0, 0.05, 0.2, 0.5}[random.nextInt(4)],
                lossy,
                random.nextInt(3) == 0 ? 0 : 0.1,
                random.nextInt(8) == 0 ? 2_000 + random.nextInt(20_000) : BatchReading.MAX_BYTES,
                large ? 0.4 : 0,
                random.nextInt(4) != 0,
                random.nextBoolean(),
                MARKINGS.get(random.nextInt(MARKINGS.size())),
                random.nextInt(5) != 0,
                random.nextInt(4) == 0,
                random.nextInt(3) == 0,
                random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(6),
                random.nextInt(3) == 0 ? 0 : random.nextBoolean() ? 500 : 30);
    }

    static boolean tableGoes(Random random) {
        return random.nextInt(TABLE_GOES) == 0;
    }

    ClientSettings client() {
        ParallelismSettings permits =
                parallelism == 0 ? ParallelismSettings.adaptive() : ParallelismSettings.fixed(parallelism);
        return ClientSettings.DEFAULT
                .with(retry())
                .with(ClientSettings.ClientBounds.DEFAULT.with(permits).with(quotaSettings()));
    }

    private @Nullable QuotaSettings quotaSettings() {
        return quota == 0 ? null : QuotaSettings.builder().capacity(quota).build();
    }

    RetrySettings retry() {
        if (!quick) {
            return RetrySettings.defaults();
        }
        return RetrySettings.builder()
                .backoff(Backoff.of(Duration.ofMillis(100), Duration.ZERO, Duration.ofSeconds(1)))
                .retries(2)
                .serverTimeout(Duration.ofSeconds(2))
                .grace(Duration.ofSeconds(1))
                .minAttempt(Duration.ofMillis(500))
                .deadline(Duration.ofSeconds(14))
                .build();
    }

    static WriterSettings.Builder writer(Random random, WriterSettings.Builder settings) {
        if (random.nextBoolean()) {
            settings.bufferItems(3 + random.nextInt(40));
        }
        int linger = random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 0;
        settings.linger(Duration.ofMillis(linger));
        if (random.nextInt(6) == 0) {
            settings.deliveryTimeout(Duration.ofMillis(linger + 500 + random.nextInt(5_000)));
        }
        if (random.nextInt(8) == 0) {
            settings.closeTimeout(Duration.ofMillis(10 + random.nextInt(3_000)));
        }
        return settings.coalesce(random.nextInt(3) == 0)
                .stopEntityOnFailure(random.nextInt(4) == 0)
                .bufferBytes(random.nextInt(3) == 0 ? BatchReading.MAX_BYTES : 32L << 20);
    }
}

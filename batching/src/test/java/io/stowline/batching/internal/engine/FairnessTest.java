package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;

class FairnessTest {

    private static final int FULL = 100;
    private static final BatchLimits LIMITS = new BatchLimits(FULL, 4 << 20, 0);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 2 * Integer.getInteger("stowline.explore", 1));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("BATCH-2: batches of partitions with work queued are filled to 95 % and more, in virtual time")
    void fillsBusyPartitions(long seed) {
        Traffic traffic = new Traffic(seed, 16, 8);
        traffic.run(Duration.ofSeconds(2), 100);
        assertThat(traffic.batches()).isGreaterThan(1_000);
        assertThat(traffic.fillOfBusy()).isGreaterThanOrEqualTo(0.95);
        assertThat(traffic.fill()).isGreaterThanOrEqualTo(0.95);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName(
            "BATCH-2: below what the service can take nothing waits for a fuller batch, and none is cut short of what"
                    + " is queued")
    void waitsForNothing(long seed) {
        Traffic traffic = new Traffic(seed, 1_000, 1_000);
        traffic.run(Duration.ofSeconds(2), 5);
        assertThat(traffic.fillOfBusy()).isEqualTo(1.0);
        assertThat(traffic.maxIdleWait()).isZero();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName(
            "BATCH-2: a partition with whole batches keeps up among many with an item each, which wait a third longer"
                    + " at most, in virtual time")
    void sendsWholeBatchesAheadOfSmallOnes(long seed) {
        Traffic even = new Traffic(seed, 1_000, 8);
        even.run(Duration.ofSeconds(4), 14);
        Traffic skewed = new Traffic(seed, 1_000, 8, 0.3);
        skewed.run(Duration.ofSeconds(4), 20);
        assertThat(skewed.sentOfHot()).isGreaterThanOrEqualTo(0.9);
        assertThat(skewed.maxIdleWait()).isLessThanOrEqualTo(even.maxIdleWait() * 4 / 3);
    }

    @Test
    @DisplayName("BATCH-2: an idle partition sends at once while others are busy")
    void sendsAtOnce() {
        Rig rig = new Rig(given -> LIMITS.on(given));
        Batcher<String, Item, String> batcher = rig.batcher();
        for (int i = 0; i < 1_000; i++) {
            batcher.submit("busy", Item.of("e" + i, i));
        }
        assertThat(rig.next().batch.key()).isEqualTo("busy");
        for (int i = 0; i < 50; i++) {
            batcher.submit("idle" + i, Item.of("a", i));
            assertThat(rig.next().batch.key()).isEqualTo("idle" + i);
        }
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName(
            "BATCH-7 PERMIT-4: with one batch in flight a lane that floods has each fourth turn, and the others theirs in"
                    + " their order")
    void servesInTurn() {
        Rig rig = new Rig(given -> LIMITS.on(given).maxBatchesInFlight(1));
        Batcher<String, Item, String> batcher = rig.batcher();
        for (int i = 0; i < 1_000; i++) {
            batcher.submit("flood", Item.of("e" + i, i));
        }
        for (int lane = 0; lane < 10; lane++) {
            batcher.submit("lane" + lane, Item.of("a", 1));
            batcher.submit("lane" + lane, Item.of("a", 2));
        }
        List<String> served = new ArrayList<>();
        for (Sent sent = rig.next(); served.size() < 24; sent = rig.next()) {
            served.add(sent.batch.key());
            sent.done();
        }
        assertThat(served.subList(0, 2)).containsExactly("flood", "lane0");
        for (int turn = 0; turn + 4 <= served.size(); turn++) {
            assertThat(served.subList(turn, turn + 4)).containsOnlyOnce("flood");
        }
        served.removeIf("flood"::equals);
        assertThat(served.subList(0, 10)).doesNotHaveDuplicates();
        assertThat(served.subList(10, served.size())).isEqualTo(served.subList(0, served.size() - 10));
    }

    @Test
    @DisplayName("BATCH-7: a lane that floods behind many others has each fourth turn before its first response, too")
    void servesWhatFloodsBehindOthers() {
        Rig rig = new Rig(given -> LIMITS.on(given).maxBatchesInFlight(1));
        Batcher<String, Item, String> batcher = rig.batcher();
        for (int lane = 0; lane < 40; lane++) {
            batcher.submit("lane" + lane, Item.of("a", 1));
        }
        for (int i = 0; i < 1_000; i++) {
            batcher.submit("flood", Item.of("e" + i, i));
        }
        List<String> served = new ArrayList<>();
        for (Sent sent = rig.next(); served.size() < 20; sent = rig.next()) {
            served.add(sent.batch.key());
            sent.done();
        }
        assertThat(served.subList(1, 20)).filteredOn("flood"::equals).hasSizeBetween(4, 5);
        served.removeIf("flood"::equals);
        assertThat(served)
                .isEqualTo(IntStream.range(0, served.size())
                        .mapToObj(lane -> "lane" + lane)
                        .toList());
    }

    @Test
    @DisplayName("BATCH-7: whoever comes while lanes flood waits for one batch of each of them, and no longer")
    void boundsTheWait() {
        Rig rig = new Rig(given -> LIMITS.on(given).maxBatchesInFlight(1));
        Batcher<String, Item, String> batcher = rig.batcher(given -> given.bufferItems(100_000));
        for (int i = 0; i < 3_000; i++) {
            batcher.submit("flood" + i % 3, Item.of("e" + i, i));
        }
        for (int round = 0; round < 5; round++) {
            PendingItem<String> quiet = batcher.submit("quiet" + round, Item.of("a", round));
            int batches = 0;
            for (; !quiet.isDone(); batches++) {
                rig.next().done();
            }
            assertThat(batches).isLessThanOrEqualTo(5);
        }
    }

    @Test
    @DisplayName("PERMIT-3: however many lanes are ready, no more is sent than the admission lets in as it ramps up")
    void keepsToTheSlowStart() {
        ArrayDeque<Consumer<Disposable>> line = new ArrayDeque<>();
        Rig rig = new Rig(given -> LIMITS.on(given).admission(granted -> {
            line.add(granted);
            return () -> line.remove(granted);
        }));
        Batcher<String, Item, String> batcher = rig.batcher();
        for (int i = 0; i < 2_000; i++) {
            batcher.submit("lane" + i % 200, Item.of("e" + i, i));
        }
        int responded = 0;
        for (int limit = 1; limit <= 64; limit *= 2) {
            assertThat(rig.lanes.batchesInFlight()).isZero();
            assertThat(line.size()).isLessThanOrEqualTo(64);
            for (int granted = 0; granted < limit && !line.isEmpty(); granted++) {
                line.remove().accept(() -> {});
            }
            assertThat(rig.lanes.batchesInFlight()).isEqualTo(limit);
            for (; !rig.isQuiet(); responded++) {
                rig.next().done();
            }
        }
        assertThat(responded).isEqualTo(127);
    }
}

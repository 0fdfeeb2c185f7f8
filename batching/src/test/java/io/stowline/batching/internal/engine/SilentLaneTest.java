package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.Admission;
import io.stowline.batching.internal.writer.Batcher;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;

/** Lanes whose batches have no response for long, beside others. */
class SilentLaneTest {

    private static final int PLACES = 8;

    private final Rig rig = new Rig(given -> given.maxBatchesInFlight(PLACES));
    private final Batcher<String, Item, String> writer = rig.batcher();

    private void submit(String key) {
        writer.submit(key, Item.of("a")).whenComplete((value, error) -> {});
    }

    private List<String> onWire(int from) {
        return rig.sent.stream().skip(from).map(each -> each.batch.key()).toList();
    }

    @Test
    @DisplayName("BATCH-6: a batch that has had no response for long makes room for others")
    void makesRoom() {
        for (int i = 0; i < 2 * PLACES; i++) {
            submit("silent" + i);
        }
        assertThat(rig.sent).hasSize(PLACES);
        rig.sent.get(3).batch.fallSilent();
        rig.sent.get(3).batch.fallSilent();
        assertThat(rig.sent).hasSize(PLACES);
        rig.sent.get(4).batch.fallSilent();
        assertThat(rig.sent).as("the others leave two places free").hasSize(PLACES);
        rig.sent.get(5).batch.fallSilent();
        assertThat(rig.sent).hasSize(PLACES + 1);
    }

    @Test
    @DisplayName(
            "BATCH-6: while others are silent a lane that responds is sent at once, and keeps its place when it rests")
    void responsiveLanesGoFirst() {
        submit("well");
        rig.next().done();
        for (int i = 0; i < 10 * PLACES; i++) {
            submit("silent" + i);
        }
        for (int i = 1; i <= PLACES; i++) {
            rig.sent.get(i).batch.fallSilent();
        }
        for (int round = 0; round < 20; round++) {
            int before = rig.sent.size();
            submit("well");
            assertThat(onWire(before)).containsExactly("well");
            rig.sent.get(before).done();
            assertThat(rig.sent).hasSize(before + 1);
        }
    }

    @Test
    @DisplayName("BATCH-6: lanes that respond do not keep the others from the wire")
    void othersHaveTheirTurn() {
        for (int i = 0; i < PLACES; i++) {
            submit("well" + i);
            rig.sent.get(i).done();
        }
        submit("silent");
        rig.sent.get(PLACES).batch.fallSilent();
        for (int i = 0; i < PLACES; i++) {
            submit("well" + i);
        }
        submit("new");
        Set<String> served = new HashSet<>();
        for (int round = 0; round < 100; round++) {
            Sent next = rig.sent.get(PLACES + 1 + round);
            served.add(next.batch.key());
            submit(next.batch.key());
            next.done();
        }
        assertThat(served).contains("new").hasSize(PLACES + 1);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 8", "2, 8", "8, 1", "64, 8", "1000000, 8"})
    @DisplayName("BATCH-6: every lane is sent in the end, however many are silent and however few permits there are")
    void allAreSent(int permits, int places) {
        Admission admission = new Admission() {
            @Override
            public Waiting request(Consumer<Disposable> granted) {
                granted.accept(() -> {});
                return () -> false;
            }

            @Override
            public int limit() {
                return permits;
            }
        };
        Rig own = new Rig(given -> given.maxBatchesInFlight(places).admission(admission));
        Batcher<String, Item, String> batcher = own.batcher();
        for (int i = 0; i < 300; i++) {
            batcher.submit("k" + i, Item.of("a")).whenComplete((value, error) -> {});
        }
        for (int i = 0; i < 300; i++) {
            Sent sent = own.sent.get(i);
            if (i % 3 > 0) {
                sent.batch.fallSilent();
            }
            if (i % 3 == 1) {
                sent.batch.enterWire();
            }
            if (i % 3 < 2) {
                sent.done();
            }
        }
        assertThat(own.sent)
                .extracting(sent -> sent.batch.key())
                .doesNotHaveDuplicates()
                .hasSize(300);
        own.sent.forEach(Sent::done);
        assertThat(own.lanes.laneCount()).isZero();
        assertThat(own.lanes.batchesInFlight()).isZero();

        int before = own.sent.size();
        for (int i = 0; i < places; i++) {
            batcher.submit("again" + i, Item.of("a")).whenComplete((value, error) -> {});
        }
        assertThat(own.sent).as("no lane is silent any longer").hasSize(before + places);
    }
}

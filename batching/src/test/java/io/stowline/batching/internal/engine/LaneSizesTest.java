package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.callback.GuardedKey;
import io.stowline.batching.internal.engine.LaneTable.LaneSizes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaneSizesTest {

    private final LaneSizes<String> sizes = new LaneSizes<>(100);

    private Lane<String, Item, String> lane(String key) {
        GuardedKey name = new GuardedKey(key);
        return new Lane<>(key, name, 1, sizes.begin(name));
    }

    @Test
    @DisplayName("BATCH-3: what was too much halves the next batches, down to one item")
    void halves() {
        Lane<String, Item, String> lane = lane("k");
        List<Integer> caps = new ArrayList<>();
        while (lane.cap > 1) {
            sizes.halve(lane, lane.cap);
            caps.add(lane.cap);
        }
        assertThat(caps).containsExactly(50, 25, 12, 6, 3, 1);
    }

    @Test
    @DisplayName("BATCH-3: a batch below the limit of its lane that was too much is what is halved")
    void halvesTheBatch() {
        Lane<String, Item, String> lane = lane("k");
        sizes.halve(lane, 30);
        assertThat(lane.cap).isEqualTo(15);
        sizes.halve(lane, 100);
        assertThat(lane.cap).isEqualTo(7);
    }

    @Test
    @DisplayName("BATCH-3: trouble takes a quarter off, down to one item")
    void eases() {
        Lane<String, Item, String> lane = lane("k");
        List<Integer> caps = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            sizes.ease(lane);
            caps.add(lane.cap);
        }
        assertThat(caps).startsWith(75, 57, 43, 33).endsWith(2, 1, 1);
    }

    @Test
    @DisplayName("BATCH-3: full batches that go well grow back to the limit, smaller ones say nothing")
    void growsBack() {
        Lane<String, Item, String> lane = lane("k");
        sizes.halve(lane, 100);
        sizes.grow(lane, 49);
        assertThat(lane.cap).isEqualTo(50);
        int batches = 0;
        for (; lane.cap < 100; batches++) {
            sizes.grow(lane, lane.cap);
        }
        assertThat(batches).isEqualTo(7);
        sizes.grow(lane, 100);
        assertThat(lane.cap).isEqualTo(100);
    }

    @Test
    @DisplayName("BATCH-3: from a single item it grows back too")
    void growsFromOne() {
        Lane<String, Item, String> lane = lane("k");
        sizes.halve(lane, 2);
        int batches = 0;
        for (; lane.cap < 100; batches++) {
            sizes.grow(lane, lane.cap);
        }
        assertThat(batches).isLessThan(35);
    }

    @Test
    @DisplayName(
            "BATCH-3 BATCH-6: the size outlives the lane; of the shrunk ones the last thousand or so are remembered")
    void isRemembered() {
        for (int i = 0; i < 2_000; i++) {
            Lane<String, Item, String> lane = lane("k" + i);
            sizes.halve(lane, 100);
            sizes.end(lane);
        }
        assertThat(sizes.begin(new GuardedKey("k1999"))).isEqualTo(50);
        assertThat(sizes.begin(new GuardedKey("k976"))).isEqualTo(50);
        assertThat(sizes.begin(new GuardedKey("k975"))).isEqualTo(100);
        assertThat(sizes.begin(new GuardedKey("k1999"))).isEqualTo(100);
    }

    @Test
    @DisplayName("BATCH-3 BATCH-6: a lane at the limit leaves nothing to remember")
    void forgetsTheRest() {
        Lane<String, Item, String> shrunk = lane("shrunk");
        sizes.halve(shrunk, 100);
        sizes.end(shrunk);
        for (int i = 0; i < 2_000; i++) {
            sizes.end(lane("k" + i));
        }
        assertThat(sizes.begin(new GuardedKey("shrunk"))).isEqualTo(50);
    }
}

package io.stowline.queue.internal.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JumpHashTest {

    private static final int[] SHARDS = {1, 2, 3, 8, 16, 128};

    private static List<Integer> shards(String key) {
        return IntStream.of(SHARDS).mapToObj(n -> JumpHash.shard(key, n)).toList();
    }

    @Test
    @DisplayName("Q1: the shard of a key is the same in all versions and all processes")
    void fixedVectors() {
        assertThat(JumpHash.first64Bits("")).isEqualTo(-2039914840885289964L);
        assertThat(JumpHash.first64Bits("customer 7")).isEqualTo(-6316774653773499809L);
        assertThat(shards("")).containsExactly(0, 1, 2, 5, 5, 22);
        assertThat(shards("a")).containsExactly(0, 1, 1, 1, 1, 50);
        assertThat(shards("customer 7")).containsExactly(0, 1, 2, 7, 7, 85);
        assertThat(shards("order-A-17")).containsExactly(0, 1, 1, 3, 8, 41);
        assertThat(shards("Z\u00fcrich")).containsExactly(0, 1, 1, 1, 1, 17);
        assertThat(shards("\u65e5\u672c")).containsExactly(0, 1, 1, 3, 9, 9);
        assertThat(shards("x".repeat(300))).containsExactly(0, 1, 2, 4, 12, 118);
    }

    @ParameterizedTest
    @DisplayName("Q1: the jump hash agrees with other implementations of it")
    @CsvSource({
        "10863919174838991, 11, 6",
        "2016238256797177309, 11, 3",
        "1673758223894951030, 11, 5",
        "2, 100001, 80343",
        "2201, 100001, 22152",
        "2202, 100001, 15018"
    })
    void publishedVectors(long hash, int shards, int shard) {
        assertThat(JumpHash.jump(hash, shards)).isEqualTo(shard);
    }

    @Test
    @DisplayName("Q1: when shards are added, keys move to new shards only, and no more of them than must")
    void growingMovesFewKeys() {
        int keys = 10_000;
        for (int shards = 1; shards < 32; shards++) {
            int moved = 0;
            int astray = 0;
            for (int i = 0; i < keys; i++) {
                int before = JumpHash.shard("key " + i, shards);
                int after = JumpHash.shard("key " + i, shards + 1);
                astray += after == before || after == shards ? 0 : 1;
                moved += before == after ? 0 : 1;
            }
            assertThat(astray).as("keys that moved between old shards").isZero();
            assertThat(moved).isBetween(keys / (shards + 1) * 8 / 10, keys / (shards + 1) * 12 / 10);
        }
    }

    @Test
    @DisplayName("Q1: each shard has its share of the keys")
    void spreadsEvenly() {
        int[] counts = new int[8];
        IntStream.range(0, 80_000).forEach(i -> counts[JumpHash.shard("key " + i, 8)]++);

        assertThat(IntStream.of(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
    }
}

package io.stowline.examples.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.Entity;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntityTallyTest {

    @Test
    void countsPartitionsExactlyUpToTheCapacity() {
        PartitionTally tally = new PartitionTally(3);
        List.of("a", "b", "a", "c", "a", "b").forEach(tally::add);

        assertThat(tally.error()).isZero();
        assertThat(tally.largest(2))
                .containsExactly(new PartitionTally.Count("a", 3), new PartitionTally.Count("b", 2));
    }

    @Test
    void findsTheLargePartitionAmongManyInBoundedMemory() {
        PartitionTally tally = new PartitionTally(10);
        for (int i = 0; i < 10_000; i++) {
            tally.add(i % 4 == 0 ? "hot" : "cold" + i);
        }

        assertThat(tally.size()).isLessThanOrEqualTo(10);
        PartitionTally.Count hot = tally.largest(1).get(0);
        assertThat(hot.partition()).isEqualTo("hot");
        assertThat(hot.rows()).isBetween(2_500 - tally.error(), 2_500L);
    }

    @Test
    void countsTheFewestTransactions() {
        PartitionTally tally = new PartitionTally(3);
        for (int i = 0; i < 350; i++) {
            tally.add(i < 201 ? "large" : "small");
        }

        assertThat(tally.fewestRequests()).isEqualTo(3 + 2);
    }

    @Test
    void entitiesAreTheSameInAnyOrder() {
        EntityTally one = tally(entity("a", 1), entity("b", 2), entity("b", 3));
        EntityTally other = tally(entity("b", 3), entity("a", 1), entity("b", 2));

        assertThat(one.differences(other)).isEmpty();
        assertThat(one.checksum()).isEqualTo(other.checksum()).matches("[0-9a-f]{16}");
        assertThat(one.partitions()).containsExactly("a", "b");
        assertThat(one.total()).isEqualTo(3);
        assertThat(one.fewestRequests()).isEqualTo(2);
    }

    @Test
    void namesThePartitionThatDiffers() {
        EntityTally source = tally(entity("a", 1), entity("b", 2));

        assertThat(source.differences(tally(entity("a", 1))))
                .hasSize(3)
                .startsWith("entities: 1, not 2", "entities of b: 0, not 1")
                .last()
                .asString()
                .startsWith("checksum: ");
        assertThat(source.differences(tally(entity("a", 1), entity("b", 2), entity("b", 2))))
                .startsWith("entities: 3, not 2", "entities of b: 2, not 1");
    }

    @Test
    void noticesEveryChangeOfAnEntity() {
        EntityTally source = tally(entity("a", 1));

        assertThat(List.of(
                        Entity.builder("a", "r1").set("n", 2L).build(),
                        Entity.builder("a", "r1").set("n", 1).build(),
                        Entity.builder("a", "r1").set("n", "1").build(),
                        Entity.builder("a", "r1").set("m", 1L).build(),
                        Entity.builder("a", "r2").set("n", 1L).build(),
                        Entity.builder("a", "r1").set("n", 1L).set("m", 1L).build()))
                .allSatisfy(changed -> assertThat(source.differences(tally(changed)))
                        .hasSize(1)
                        .first()
                        .asString()
                        .startsWith("checksum: "));
        assertThat(tally(bytes(1)).differences(tally(bytes(1)))).isEmpty();
        assertThat(tally(bytes(1)).differences(tally(bytes(2)))).hasSize(1);
    }

    private static Entity entity(String partition, long number) {
        return Entity.builder(partition, "r" + number).set("n", number).build();
    }

    private static Entity bytes(int value) {
        return Entity.builder("a", "r").set("b", new byte[] {(byte) value}).build();
    }

    private static EntityTally tally(Entity... entities) {
        EntityTally tally = new EntityTally();
        List.of(entities).forEach(tally::add);
        return tally;
    }

    @Test
    void findsKeysThatComeAgain() {
        KeySet keys = new KeySet(100_000);
        for (int i = 0; i < 50_000; i++) {
            assertThat(keys.add("p" + i % 7, "r" + i)).isTrue();
        }

        assertThat(keys.add("p3", "r3")).isFalse();
        assertThat(keys.add("p", "3r3")).isTrue();
        assertThat(keys.add("p3r", "3")).isTrue();
    }

    @Test
    void tellsKeysOfNumbersApart() {
        KeySet keys = new KeySet(300_000);
        assertThat(keys.add("c101", "401")).isTrue();
        assertThat(keys.add("c1", "21001")).isTrue();
        for (int partition = 0; partition < 400; partition++) {
            for (int row = 0; row < 500; row++) {
                assertThat(keys.add("country" + partition, Integer.toString(row)))
                        .isTrue();
            }
        }
    }

    @Test
    void comparesNoMoreKeysThanItHolds() {
        KeySet keys = new KeySet(2);
        keys.add("p", "1");
        assertThat(keys.isFull()).isFalse();
        keys.add("p", "2");

        assertThat(keys.isFull()).isTrue();
        assertThat(keys.add("p", "1")).isTrue();
    }
}

package io.stowline.examples.bulkload;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.ScalabilityTargets;
import java.util.List;
import org.junit.jupiter.api.Test;

class EstimatesTest {

    private static final ScalabilityTargets TARGETS = ScalabilityTargets.everywhere();

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
    void estimatesFullTransactionsOfASortedInput() {
        BatchEstimate estimate = new BatchEstimate(TARGETS);
        for (int i = 0; i < 30_000; i++) {
            estimate.add("p" + i / 10_000, 100);
        }

        assertThat(estimate.requests()).isEqualTo(300);
        assertThat(estimate.fill()).isEqualTo(100);
        assertThat(estimate.seconds()).isEqualTo(15);
    }

    @Test
    void estimatesWhatManyPartitionsAtATimeCost() {
        BatchEstimate estimate = new BatchEstimate(TARGETS);
        for (int i = 0; i < 20_000; i++) {
            estimate.add("p" + i % 5_000, 100);
        }

        assertThat(estimate.fill()).isEqualTo(2);
        assertThat(estimate.seconds()).isEqualTo(1);
    }

    @Test
    void cutsTransactionsOfLargeRowsAtFourMebibytes() {
        BatchEstimate estimate = new BatchEstimate(TARGETS);
        for (int i = 0; i < 10; i++) {
            estimate.add("p", 1_000_000);
        }

        assertThat(estimate.requests()).isEqualTo(5);
        assertThat(new BatchEstimate(TARGETS).fill()).isZero();
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

package io.stowline.blob.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of copies by instances. */
class ReplicaOrderTest {

    private static final int INSTANCES = 20_000;

    /** Returns the chi-squared of the counts against an even spread. */
    private static double chiSquared(int[] counts) {
        double expected = (double) IntStream.of(counts).sum() / counts.length;
        return IntStream.of(counts)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
    }

    /** A bound that an even spread of so many degrees of freedom passes in 99.99 % of all runs, and more. */
    private static double bound(int copies) {
        return copies - 1 + 6 * Math.sqrt(2.0 * (copies - 1)) + 6;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10, 64})
    @DisplayName("B1: the first choices of instances, and their second ones, spread evenly over the copies")
    void spreadsEvenly(int copies) {
        SplittableRandom random = new SplittableRandom(copies);
        for (LongUnaryOperator seeds : new LongUnaryOperator[] {at -> at, at -> random.nextLong(), at -> at << 40}) {
            int[] first = new int[copies];
            int[][] second = new int[copies][copies];
            for (int i = 0; i < INSTANCES; i++) {
                var order = ReplicaOrder.of(seeds.applyAsLong(i), "model.bin", copies);
                first[order.get(0)]++;
                second[order.get(0)][order.get(1)]++;
            }
            assertThat(chiSquared(first)).isLessThan(bound(copies));
            for (int copy = 0; copy < copies && copies > 2 && copies < 20; copy++) {
                int without = copy;
                int[] others = IntStream.range(0, copies)
                        .filter(other -> other != without)
                        .map(other -> second[without][other])
                        .toArray();
                assertThat(chiSquared(others)).isLessThan(bound(copies - 1));
            }
        }
    }

    @Test
    @DisplayName("B1: the names of one instance spread too, and each order has each copy once and is stable")
    void namesAndOrders() {
        int[] first = new int[4];
        for (int i = 0; i < INSTANCES; i++) {
            var order = ReplicaOrder.of(7, "model-" + i, 4);
            first[order.get(0)]++;
            assertThat(order).containsExactlyInAnyOrder(0, 1, 2, 3).isEqualTo(ReplicaOrder.of(7, "model-" + i, 4));
        }
        assertThat(chiSquared(first)).isLessThan(bound(4));
    }

    @Test
    @DisplayName("B1: a further copy takes only its share of the instances")
    void growing() {
        int moved = 0;
        for (int i = 0; i < INSTANCES; i++) {
            int before = ReplicaOrder.of(i, "model.bin", 4).get(0);
            int after = ReplicaOrder.of(i, "model.bin", 5).get(0);
            assertThat(after == before || after == 4).isTrue();
            moved += after == before ? 0 : 1;
        }
        assertThat(moved).isBetween(INSTANCES / 5 - 400, INSTANCES / 5 + 400);
    }

    @Test
    @DisplayName("B1: staggered starts spread evenly over their time")
    void starts() {
        int[] tenths = new int[10];
        for (int i = 0; i < INSTANCES; i++) {
            tenths[(int) (ReplicaOrder.startOf(i) * 10)]++;
        }
        assertThat(chiSquared(tenths)).isLessThan(bound(10));
    }
}

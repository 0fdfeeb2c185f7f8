package io.stowline.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QuietMachineTest {

    /** Returns a machine of two cores, of whose 200 ticks in each sample so many were busy. */
    private static QuietMachine machine(int... busy) {
        long[] total = {1_000, 5_000};
        Stream<String> stats = Arrays.stream(busy).boxed().flatMap(ticks -> {
            String before = stat(total);
            total[0] += ticks;
            total[1] += 200 - ticks;
            return Stream.of(before, stat(total));
        });
        Iterator<String> each = stats.iterator();
        return new QuietMachine(each::next, () -> {}, 2);
    }

    private static String stat(long[] total) {
        return "cpu  " + total[0] + " 0 0 " + total[1] + " 7 0 0 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
    }

    @Test
    void countsTheCoresInUse() {
        assertThat(machine(0).busyCores()).isZero();
        assertThat(machine(50).busyCores()).isEqualTo(0.5, within(1e-9));
        assertThat(machine(200).busyCores()).isEqualTo(2, within(1e-9));
    }

    @Test
    void waitsForAQuietSample() {
        machine(150, 90, 10).await("before point-read");
        machine(150, 150, 150, 150, 150, 150, 150, 150, 150, 20).await("before point-read");
    }

    @Test
    void refusesABusyMachine() {
        assertThatThrownBy(
                        () -> machine(150, 30, 30, 30, 30, 30, 30, 30, 30, 30).await("before point-read"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not quiet before point-read")
                .hasMessageContaining("0.30 of 2 cores")
                .hasMessageContaining("at most 0.20")
                .hasMessageContaining("--busy");
    }

    @Test
    void takesASystemWithoutTheFileForQuiet() {
        for (String stat : List.of("", "intr 1 2 3\n")) {
            assertThat(new QuietMachine(() -> stat, () -> {}, 2).busyCores()).isZero();
        }
    }
}

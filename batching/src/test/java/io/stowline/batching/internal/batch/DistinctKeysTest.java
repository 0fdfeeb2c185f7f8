package io.stowline.batching.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DistinctKeysTest {

    @Property
    void addsWhatAHashSetAdds(@ForAll @Size(max = 300) List<@IntRange(max = 200) Integer> numbers) {
        DistinctKeys keys = new DistinctKeys();
        Set<String> expected = new HashSet<>();
        for (int number : numbers) {
            assertThat(keys.add("row " + number)).isEqualTo(expected.add("row " + number));
        }
    }

    @Property
    void keepsKeysOfEqualHashesApart(@ForAll @Size(max = 100) List<@IntRange(max = 60) Integer> numbers) {
        DistinctKeys keys = new DistinctKeys();
        Set<Integer> expected = new HashSet<>();
        for (int number : numbers) {
            assertThat(keys.add(new Colliding(number))).isEqualTo(expected.add(number));
        }
    }

    @Example
    void findsEachOfManyKeys() {
        DistinctKeys keys = new DistinctKeys();
        for (int i = 0; i < 10_000; i++) {
            assertThat(keys.add(i)).isTrue();
        }
        for (int i = 0; i < 10_000; i++) {
            assertThat(keys.add(i)).isFalse();
        }
    }

    private record Colliding(int number) {

        @Override
        public int hashCode() {
            return number & 1;
        }
    }
}

package io.stowline.table.internal.index.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.EntityKey;
import io.stowline.table.internal.index.IndexedRow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IndexComparisonTest {

    private static IndexedRow row(int number, Object value) {
        return new IndexedRow("p", "NAME:" + number, Map.of("v", value, "StowlineRowKey", "r" + number));
    }

    private static EntityKey entity(int number) {
        return new EntityKey("p", "r" + number);
    }

    @Property(tries = 200)
    void equalRowsCancelOutInAnyOrder(@ForAll Random random, @ForAll @IntRange(max = 300) int rows) {
        IndexComparison comparison = new IndexComparison(64);
        List<Runnable> steps = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            int number = i;
            steps.add(() -> comparison.wanted(entity(number), row(number, "x")));
            steps.add(() -> comparison.found(entity(number), row(number, "x")));
        }
        Collections.shuffle(steps, random);
        steps.forEach(Runnable::run);

        assertThat(comparison.isEqual()).isTrue();
    }

    @Property(tries = 200)
    void oneDifferenceIsFound(@ForAll Random random, @ForAll @IntRange(min = 1, max = 300) int rows) {
        IndexComparison comparison = new IndexComparison(64);
        int odd = random.nextInt(rows);
        for (int i = 0; i < rows; i++) {
            comparison.wanted(entity(i), row(i, "x"));
            if (i != odd) {
                comparison.found(entity(i), row(i, "x"));
            } else if (random.nextBoolean()) {
                comparison.found(entity(i), row(i, random.nextBoolean() ? "y" : (Object) 7L));
            }
        }

        assertThat(comparison.isEqual()).isFalse();
        assertThat(comparison.differs(entity(odd))).isTrue();
    }

    @Test
    void typesAndBytesCount() {
        IndexComparison comparison = new IndexComparison(1);
        comparison.wanted(entity(1), row(1, 7));
        comparison.found(entity(1), row(1, 7L));
        assertThat(comparison.isEqual()).isFalse();

        IndexComparison bytes = new IndexComparison(1);
        bytes.wanted(entity(1), row(1, new byte[] {1, 2}));
        bytes.found(entity(1), row(1, new byte[] {1, 2}));
        assertThat(bytes.isEqual()).isTrue();
    }

    @Test
    void aSuspectIsLookedAtWhateverTheSums() {
        IndexComparison comparison = new IndexComparison(16);
        comparison.suspect(entity(3));

        assertThat(comparison.isEqual()).isFalse();
        assertThat(comparison.differs(entity(3))).isTrue();
    }
}

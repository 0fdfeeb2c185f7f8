package io.stowline.table.internal.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyProbeTest {

    /** Keys in the order of the service, which counts its probes. */
    private static final class Keys {

        private final TreeSet<String> keys;
        private int probes;

        Keys(Set<String> keys) {
            this.keys = new TreeSet<>(keys);
        }

        @Nullable
        String first(@Nullable String from, @Nullable String below) {
            probes++;
            String first = from == null ? (keys.isEmpty() ? null : keys.first()) : keys.ceiling(from);
            return first == null || (below != null && first.compareTo(below) >= 0) ? null : first;
        }

        List<String> starts(int wanted, int max) {
            return new KeyProbe(this::first, max).starts(wanted);
        }
    }

    private static Set<String> numbered(String format, int count) {
        return IntStream.range(0, count).mapToObj(format::formatted).collect(Collectors.toSet());
    }

    @Test
    void findsEvenGroupsOfHashes() {
        Keys keys = new Keys(IntStream.range(0, 5_000)
                .mapToObj(i -> "%08x".formatted(i * 0x9E3779B9))
                .collect(Collectors.toSet()));
        List<String> starts = keys.starts(16, 96);

        assertThat(starts).hasSize(16).isSorted();
        assertThat(keys.probes).isLessThan(25);
    }

    @Test
    void passesOverALongCommonPrefix() {
        Keys keys = new Keys(numbered("customer-2026-%06d", 3_000));
        List<String> starts = keys.starts(16, 160);

        assertThat(starts).hasSizeGreaterThanOrEqualTo(16);
        assertThat(keys.probes).isLessThan(120);
    }

    @Test
    void onePartitionIsOneGroup() {
        assertThat(new Keys(Set.of("full")).starts(16, 96)).containsExactly("full");
        assertThat(new Keys(Set.of("")).starts(16, 96)).containsExactly("");
        assertThat(new Keys(Set.of()).starts(16, 96)).isEmpty();
    }

    @Property(tries = 1_000)
    void startsAreKeysInTheirOrder(@ForAll("keySets") Set<String> given) {
        Keys keys = new Keys(given);
        List<String> starts = keys.starts(8, 200);

        assertThat(starts).isSorted().doesNotHaveDuplicates();
        assertThat(given).containsAll(starts);
        if (!given.isEmpty()) {
            assertThat(starts.get(0)).isEqualTo(keys.keys.first());
        }
        assertThat(keys.probes).isLessThanOrEqualTo(201);
    }

    @Property(tries = 1_000)
    void nothingLiesBetweenAPrefixAndItsEnd(@ForAll("keySets") Set<String> given) {
        List<String> all = new ArrayList<>(given);
        for (String prefix : all) {
            String after = KeyProbe.after(prefix);
            for (String key : all) {
                boolean below = after == null || key.compareTo(after) < 0;
                assertThat(below && key.compareTo(prefix) >= 0).isEqualTo(key.startsWith(prefix));
            }
        }
    }

    @Provide
    Arbitrary<Set<String>> keySets() {
        return Arbitraries.strings()
                .withChars('a', 'b', '.', '0', '~', '\u00A0', '\uD7FF', '\uE000', '\uFFFF', ' ')
                .ofMaxLength(4)
                .set()
                .ofMaxSize(40);
    }
}

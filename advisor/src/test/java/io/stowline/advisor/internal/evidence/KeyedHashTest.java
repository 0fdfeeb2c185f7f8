package io.stowline.advisor.internal.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedHashTest {

    private final KeyedHash hash = new KeyedHash(1, 2);

    @Test
    void differsByTextParentAndSecret() {
        Set<Long> hashes = new HashSet<>();
        for (String text : new String[] {"", "\0", "a", "aa", "aaaa", "aaaaa", "aaaa\0", "ab", "ba", "ä"}) {
            hashes.add(hash.of(0, text));
            hashes.add(hash.of(1, text));
            hashes.add(new KeyedHash(1, 3).of(0, text));
        }

        assertThat(hashes).hasSize(30);
        assertThat(hash.of(5, "text")).isEqualTo(new KeyedHash(1, 2).of(5, "text"));
    }

    @Test
    void spreadsOverAllBits() {
        int[] ones = new int[Long.SIZE];
        int keys = 10_000;
        for (int i = 0; i < keys; i++) {
            long one = hash.of(0, "key" + i);
            for (int bit = 0; bit < Long.SIZE; bit++) {
                ones[bit] += (int) (one >>> bit & 1);
            }
        }

        for (int bit = 0; bit < Long.SIZE; bit++) {
            assertThat(ones[bit]).as("bit %d", bit).isBetween(4_700, 5_300);
        }
    }
}

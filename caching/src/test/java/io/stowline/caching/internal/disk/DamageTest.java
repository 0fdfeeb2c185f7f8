package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DamageTest {

    private static final String TEXT = "the body of a response".repeat(3);

    @Test
    @DisplayName("CACHE-5: an entry that is cut off, at whatever byte, is a miss")
    void whatIsCutOffIsAMiss() throws IOException {
        int length = DiskFormat.PREAMBLE
                + DiskFormat.head("key", Responses.head(Responses.etag(TEXT), 1))
                        .remaining()
                + TEXT.length();
        for (int at = 0; at < length; at++) {
            int kept = at;
            isAMiss(whole -> Arrays.copyOf(whole, kept));
        }
        isAMiss(whole -> Arrays.copyOf(whole, length + 1));
    }

    @Property(tries = 300)
    @Label("CACHE-5: an entry with wrong bits, wherever they are, is a miss")
    void wrongBitsAreAMiss(@ForAll @Size(min = 1, max = 6) Set<@IntRange(max = 100_000) Integer> bits)
            throws IOException {
        isAMiss(whole -> flip(whole, bits));
    }

    @Test
    @DisplayName("CACHE-5: an entry with one wrong bit, wherever it is, is a miss")
    void eachWrongBitIsAMiss() throws IOException {
        for (int bit = 0; bit < 8 * 90; bit += 3) {
            Set<Integer> one = Set.of(bit);
            isAMiss(whole -> flip(whole, one));
        }
    }

    @Property(tries = 100)
    @Label("CACHE-5: of a damaged newer head nothing is believed: the older one counts, and the body is right")
    void aDamagedNewerHeadIsIgnored(
            @ForAll @IntRange(max = 100_000) int bit, @ForAll @IntRange(max = 300) int kept, @ForAll boolean cut)
            throws IOException {
        Path folder = Responses.temporary();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            Responses.put(tier, "key", TEXT);
            tier.validated("key", Responses.head(Responses.etag(TEXT), 2));
            change(
                    Responses.files(folder, "head").get(0),
                    whole -> cut ? Arrays.copyOf(whole, kept % whole.length) : flip(whole, Set.of(bit)));
            try (DiskEntry entry = tier.find("key")) {
                assertThat(entry.head()).isEqualTo(Responses.head(Responses.etag(TEXT), 1));
                assertThat(Responses.text(entry)).isEqualTo(TEXT);
            }
            assertThat(Responses.files(folder, "head")).isEmpty();
            assertThat(tier.bytes()).isEqualTo(Responses.size(folder));
        } finally {
            Responses.delete(folder);
        }
    }

    @Test
    @DisplayName("CACHE-6: the file of another key in an entry's place is a miss")
    void theFileOfAnotherKeyIsAMiss() throws IOException {
        Path folder = Responses.temporary();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            Responses.put(tier, "mine", "mine");
            byte[] mine = Files.readAllBytes(Responses.files(folder, "entry").get(0));
            tier.remove("mine");
            Responses.put(tier, "yours", "yours");
            change(Responses.files(folder, "entry").get(0), yours -> mine);
            assertThat(tier.find("yours")).isNull();
        } finally {
            Responses.delete(folder);
        }
    }

    private static byte[] flip(byte[] bytes, Set<Integer> bits) {
        bits.stream()
                .map(bit -> bit % (8 * bytes.length))
                .distinct()
                .forEach(bit -> bytes[bit / 8] ^= (byte) (1 << bit % 8));
        return bytes;
    }

    private static void change(Path file, UnaryOperator<byte[]> damage) throws IOException {
        Files.write(file, damage.apply(Files.readAllBytes(file)));
    }

    private static void isAMiss(UnaryOperator<byte[]> damage) throws IOException {
        isAMiss(damage, false);
        isAMiss(damage, true);
    }

    private static void isAMiss(UnaryOperator<byte[]> damage, boolean reopened) throws IOException {
        Path folder = Responses.temporary();
        DiskTier tier = DiskTier.open(folder, 1 << 20);
        try {
            Responses.put(tier, "key", TEXT);
            Path file = Responses.files(folder, "entry").get(0);
            if (reopened) {
                tier.close();
            }
            change(file, damage);
            if (reopened) {
                tier = DiskTier.open(folder, 1 << 20);
            }
            assertThat(tier.find("key")).isNull();
            assertThat(file).doesNotExist();
            assertThat(tier.bytes()).isZero();
        } finally {
            tier.close();
            Responses.delete(folder);
        }
    }
}

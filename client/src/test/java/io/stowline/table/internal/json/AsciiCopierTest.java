package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AsciiCopierTest {

    private static boolean plain(byte b) {
        return b >= 0x20 && b != '"' && b != '\\';
    }

    private static int endByByte(byte[] bytes, int from) {
        int i = from;
        while (i < bytes.length && plain(bytes[i])) {
            i++;
        }
        return i;
    }

    @Property(tries = 5_000)
    @Label("the end of plain text is the first byte that is not plain, wherever it stands and whatever is around it")
    void end(@ForAll @From("texts") byte[] text, @ForAll @IntRange(max = 9) int from) {
        int start = Math.min(from, text.length);

        assertThat(AsciiCopier.end(text, start, text.length)).isEqualTo(endByByte(text, start));
    }

    @Test
    @DisplayName("each byte ends plain text or does not, before and behind each other byte and at each place")
    void endOfEachPair() {
        byte[] text = new byte[11];
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                for (int at = 0; at < text.length - 1; at++) {
                    Arrays.fill(text, (byte) '!');
                    text[at] = (byte) first;
                    text[at + 1] = (byte) second;
                    if (AsciiCopier.end(text, 0, text.length) != endByByte(text, 0)) {
                        assertThat(AsciiCopier.end(text, 0, text.length))
                                .as(Arrays.toString(text))
                                .isEqualTo(endByByte(text, 0));
                    }
                }
            }
        }
    }

    @Property(tries = 5_000)
    @Label("bytes stand at a position if they equal those of the array there, which may end before")
    void isAt(
            @ForAll @From("texts") byte[] text,
            @ForAll @IntRange(max = 60) int from,
            @ForAll @IntRange(max = 30) int length,
            @ForAll boolean changed,
            @ForAll @IntRange(max = 29) int change) {
        int at = Math.min(from, text.length);
        byte[] wanted = Arrays.copyOfRange(text, at, at + length);
        if (changed && change < length) {
            wanted[change] ^= 1;
        }

        assertThat(AsciiCopier.isAt(text, at, wanted))
                .isEqualTo(at + length <= text.length && Arrays.equals(text, at, at + length, wanted, 0, length));
    }

    @Provide
    Arbitrary<byte[]> texts() {
        Arbitrary<Byte> mostlyPlain = Arbitraries.frequencyOf(
                Tuple.of(30, Arbitraries.bytes().between((byte) 0x20, (byte) 0x7F)), Tuple.of(1, Arbitraries.bytes()));
        return mostlyPlain.array(byte[].class).ofMaxSize(80);
    }
}

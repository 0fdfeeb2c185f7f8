package io.stowline.projection.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.filter.FilterProperty.PrefixBound;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrefixBoundTest {

    /** Valid text, with the code points at the edges of the order far more often than by chance. */
    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> edges = Arbitraries.of(
                0, 0x61, 0x62, 0xD7FE, 0xD7FF, 0xE000, 0xE001, 0xFDCF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x103FF,
                0x10400, 0x10FFFE, 0x10FFFF);
        Arbitrary<Integer> any = Arbitraries.integers()
                .between(0, 0x10FFFF)
                .filter(codePoint -> codePoint < 0xD800 || codePoint > 0xDFFF);
        return Arbitraries.oneOf(edges, any).list().ofMaxSize(5).map(PrefixBoundTest::text);
    }

    @Provide
    Arbitrary<String> prefixes() {
        return texts().filter(text -> !text.isEmpty());
    }

    private static String text(Iterable<Integer> codePoints) {
        StringBuilder text = new StringBuilder();
        codePoints.forEach(text::appendCodePoint);
        return text.toString();
    }

    private static boolean inRange(String prefix, String text) {
        String bound = PrefixBound.after(prefix);
        return text.compareTo(prefix) >= 0 && (bound == null || text.compareTo(bound) < 0);
    }

    @Property
    @Label("MAP-4: every text with the prefix is in the range")
    void holdsEveryTextWithThePrefix(@ForAll("prefixes") String prefix, @ForAll("texts") String rest) {
        assertThat(inRange(prefix, prefix + rest)).isTrue();
    }

    @Property
    @Label("MAP-4: no text without the prefix is in the range")
    void holdsNoOtherText(@ForAll("prefixes") String prefix, @ForAll("texts") String other) {
        assertThat(inRange(prefix, other)).isEqualTo(other.startsWith(prefix));
    }

    @Property
    @Label("MAP-4: no text near the prefix is in the range")
    void holdsNoNeighbour(@ForAll("neighbours") String[] pair) {
        assertThat(inRange(pair[0], pair[1])).isEqualTo(pair[1].startsWith(pair[0]));
    }

    /** A prefix, and a text that shares its beginning. */
    @Provide
    Arbitrary<String[]> neighbours() {
        return Combinators.combine(prefixes(), texts(), Arbitraries.integers().between(0, 5))
                .as((prefix, rest, kept) -> {
                    int points = Math.min(kept, prefix.codePointCount(0, prefix.length()));
                    return new String[] {prefix, prefix.substring(0, prefix.offsetByCodePoints(0, points)) + rest};
                });
    }

    @Property
    void isValidText(@ForAll("prefixes") String prefix) {
        String bound = PrefixBound.after(prefix);

        assertThat(bound == null || UTF_8.newEncoder().canEncode(bound)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"a, b", "BIB:, BIB;", "z, {", "abc, abd", "'a''', a(", "é, ê"})
    void addsOneToTheLastCharacter(String prefix, String bound) {
        assertThat(PrefixBound.after(prefix)).isEqualTo(bound);
    }

    @Test
    void goesRoundTheSurrogates() {
        assertThat(PrefixBound.after("a\uD7FF")).isEqualTo("a\uD800\uDC00");
        assertThat(PrefixBound.after("a\uDBFF\uDFFF")).isEqualTo("a\uE000");
        assertThat(PrefixBound.after("a\uD83D\uDE00")).isEqualTo("a\uD83D\uDE01");
        assertThat(PrefixBound.after("a\uD83D\uDFFF")).isEqualTo("a\uD83E\uDC00");
    }

    @Test
    void dropsWhatCannotGrow() {
        assertThat(PrefixBound.after("a\uFFFF\uFFFF")).isEqualTo("b");
        assertThat(PrefixBound.after("\uD7FF\uFFFF")).isEqualTo("\uD800\uDC00");
        assertThat(PrefixBound.after("a\uFFFD")).isEqualTo("a\uFFFE");
        assertThat(PrefixBound.after("a\uFFFE")).isEqualTo("a\uFFFF");
    }

    @Test
    void hasNoBoundAboveTheLastCharacter() {
        assertThat(PrefixBound.after("\uFFFF")).isNull();
        assertThat(PrefixBound.after("\uFFFF\uFFFF")).isNull();
    }
}

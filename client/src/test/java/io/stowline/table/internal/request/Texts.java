package io.stowline.table.internal.request;

import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Arbitrary texts and keys that are valid Unicode. */
public final class Texts {

    private Texts() {}

    /** Any valid text, with a liking for what must be escaped. */
    public static Arbitrary<String> texts() {
        Arbitrary<Integer> any = Arbitraries.integers().between(0, 0x10FFFF).filter(c -> c < 0xD800 || c > 0xDFFF);
        Arbitrary<Integer> awkward = Arbitraries.of(
                (int) '"',
                (int) '\\',
                (int) '\'',
                (int) '\n',
                (int) '\r',
                0,
                0x1F,
                0x7F,
                0x7FF,
                0x800,
                0xFFFF,
                0x10000);
        return text(Arbitraries.oneOf(any, awkward), 60);
    }

    /** Any valid key. */
    public static Arbitrary<String> keys() {
        Arbitrary<Integer> allowed = Arbitraries.integers()
                .between(0x20, 0x10FFFF)
                .filter(c -> c < 0xD800 || c > 0xDFFF)
                .filter(c -> c < 0x7F || c > 0x9F)
                .filter(c -> "/\\#?".indexOf(c) < 0);
        Arbitrary<Integer> awkward =
                Arbitraries.of('\'', '%', '+', '&', ' ', '"', '(', ')', '=').map(c -> (int) c);
        return text(Arbitraries.oneOf(allowed, awkward), 40);
    }

    private static Arbitrary<String> text(Arbitrary<Integer> codePoints, int max) {
        return codePoints.list().ofMaxSize(max).map(points -> points.stream()
                .map(Character::toString)
                .collect(Collectors.joining()));
    }
}

package io.stowline.examples.shared;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MismatchesTest {

    private final Mismatches differences = new Mismatches();

    @Test
    void tellsWhatDiffersAndNothingElse() {
        differences.expect("one", 1, 1);
        differences.expect("two", 1, 2);

        assertThat(differences.list()).containsExactly("two: 1, not 2");
    }

    @Test
    void shortensWhatIsLong() {
        differences.expect("text", "a".repeat(1_000), "b");

        assertThat(differences.list())
                .singleElement()
                .asString()
                .hasSizeLessThan(300)
                .endsWith("…, not b");
    }
}

package io.stowline.blob.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"abc", "a-b-c", "photos2026", "$root", "$web", "$logs", "0a0"})
    void takesNamesOfContainers(String name) {
        assertThat(ContainerNames.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "Photos", "a--b", "-abc", "abc-", "a_b", "a.b", "$else", "fotografía", "abc\n"})
    void refusesOtherNamesOfContainers(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContainerNames.check(name))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("3 to 63");
    }

    @Test
    void boundsTheLengthOfNamesOfContainers() {
        assertThat(ContainerNames.check("a".repeat(63))).hasSize(63);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ContainerNames.check("a".repeat(64)))
                .withMessageContaining("64 characters given");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a b+c%20&d=e?f#g",
                "folder/",
                "//x//y",
                "é 日本語 😀",
                ".hidden",
                "a..b",
                "...",
                "a/.b/c.",
                "%2E%2E",
                "\\"
            })
    void takesNamesOfBlobs(String name) {
        assertThat(BlobNames.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "a/../b", "./a", "a/."})
    void refusesSegmentsThatAddressesLose(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check(name))
                .withMessageContaining("'" + name + "'");
    }

    @Test
    void boundsNamesOfBlobs() {
        assertThat(BlobNames.check("a".repeat(1_024))).hasSize(1_024);
        assertThat(BlobNames.check("a/".repeat(253))).hasSize(506);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check("a".repeat(1_025)))
                .withMessageContaining("1 to 1024 characters, not 1025");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check("a/".repeat(254)))
                .withMessageContaining("254 segments");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check(""))
                .withMessageContaining("not 0");
    }

    @Test
    void refusesHalfCharacters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check("ab\uD83D"))
                .withMessageContaining("U+D83D")
                .withMessageContaining("at 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobNames.check("\uDE00a"))
                .withMessageContaining("U+DE00");
    }
}

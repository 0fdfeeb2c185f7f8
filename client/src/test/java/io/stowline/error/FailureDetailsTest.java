package io.stowline.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailureDetailsTest {

    @ParameterizedTest
    @ValueSource(ints = {0x0A, 0x0D, 0x00, 0x08, 0x1B, 0x85, 0x2028, 0x2029, 0x202E, 0x2066})
    @DisplayName("RETRY-7: the message of the facts is one printable line, whatever the service sends")
    void printable(int character) {
        FailureDetails details = new FailureDetails(
                "find",
                "people(p, r)",
                400,
                "Code",
                "before" + (char) character + "after",
                1,
                0,
                Duration.ZERO,
                null,
                "id",
                null,
                "a retry cannot help");

        assertThat(details.message())
                .startsWith("before\\")
                .endsWith("after")
                .doesNotContain(Character.toString(character));
        assertThat(details.saying("\n").message()).endsWith("after\\n");
    }
}

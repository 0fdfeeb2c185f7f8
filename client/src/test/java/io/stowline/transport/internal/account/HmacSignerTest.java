package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HmacSignerTest {

    @Test
    void signsLikeTheSecondTestCaseOfRfc4231() {
        HmacSigner key = HmacSigner.of(Base64.getEncoder().encodeToString("Jefe".getBytes(StandardCharsets.UTF_8)));

        String expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

        assertThat(HexFormat.of().formatHex(Base64.getDecoder().decode(key.sign("what do ya want for nothing?"))))
                .isEqualTo(expected);
    }

    @Test
    void signsTheUtf8BytesOfTheText() {
        HmacSigner key = HmacSigner.of(Bench.KEY);

        assertThat(key.sign("Zürich 東京")).isEqualTo(IndependentHmac.of(Bench.KEY, "Zürich 東京"));
    }

    @Test
    void signsTheSameFromManyThreads() {
        HmacSigner key = HmacSigner.of(Bench.KEY);

        assertThat(IntStream.range(0, 2_000)
                        .parallel()
                        .filter(i -> !key.sign("text " + i).equals(IndependentHmac.of(Bench.KEY, "text " + i)))
                        .count())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "QQ=", "Q Q="})
    void refusesWhatIsNotBase64(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HmacSigner.of(text))
                .withMessageContaining("AccountKey")
                .withNoCause();
    }

    @Test
    @DisplayName("RETRY-7: a key does not show itself")
    void doesNotShowItself() {
        assertThat(HmacSigner.of(Bench.KEY)).hasToString("SharedKey(not shown)");
        assertThat(Bench.account().toString()).doesNotContain(Bench.KEY);
    }
}

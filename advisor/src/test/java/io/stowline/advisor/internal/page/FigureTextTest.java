package io.stowline.advisor.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTextTest {

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "123456789, 118 MiB", "9.3e18, 8.1 EiB"})
    void bytesHaveBinaryUnits(double bytes, String text) {
        assertThat(FigureText.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.256, 0.26", "9.87, 9.9", "12345.6, '12,346'"})
    void ratesHaveThreeDigits(double rate, String text) {
        assertThat(FigureText.rate(rate)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"PT0.2S, 200 ms", "PT1M5.4S, 65 s", "PT5M, 5 min", "PT1H30M, 90 min", "PT24H, 24 h"})
    void timesHaveOneUnit(Duration time, String text) {
        assertThat(FigureText.time(time)).isEqualTo(text);
    }
}

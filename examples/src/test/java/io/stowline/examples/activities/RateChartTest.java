package io.stowline.examples.activities;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateChartTest {

    private final RateChart chart = new RateChart();

    @Test
    void showsTheRateOfEachQuarterOfASecond() {
        chart.add(1_010, 500);
        chart.add(1_240, 500);
        chart.add(1_600, 250);
        chart.halt(1_499);

        assertThat(chart.lines())
                .containsExactly(
                        " 0.00 s     4,000  " + "#".repeat(40),
                        " 0.25 s         0   killed",
                        " 0.50 s     1,000  " + "#".repeat(10));
        assertThat(chart.svg()).startsWith("<svg").endsWith("</svg>\n").contains("4,000", ">killed</text>");
        assertThat(chart.svg().split("<rect", -1)).hasSize(4);
    }

    @Test
    void drawsALongRunWithFewBars() {
        for (long millis = 0; millis < 60_000; millis += 250) {
            chart.add(millis, 1_000);
        }
        chart.halt(59_999);

        assertThat(chart.lines()).hasSize(30).allMatch(line -> line.contains("    4,000  "));
        assertThat(chart.lines().get(29)).startsWith("58.00 s").endsWith(" killed");
    }

    @Test
    void isEmptyWithoutRecords() {
        assertThat(chart.lines()).isEmpty();
        assertThat(chart.svg()).doesNotContain("<rect");
    }
}

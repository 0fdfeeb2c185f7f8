package io.stowline.testkit.stress;

import static io.stowline.testkit.stress.LoadRampTest.step;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.testkit.stress.StressLimit.Cause;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class StressReportTest {

    private static final List<StressStep> STEPS = List.of(
            step(1, 1_400, 1_400, 0, 0),
            step(1, 2_100, 1_900, 200, 0),
            step(2, 3_800, 3_700, 100, 0),
            step(4, 7_000, 4_000, 3_000, 0));

    private static final StressReport LIMITED = report(
            STEPS,
            Map.of(
                    1, new StressLimit(Cause.SERVICE, 1_800, 2_000),
                    2, new StressLimit(Cause.NOT_REACHED, 3_700, 3_700),
                    4, new StressLimit(Cause.SERVICE, 3_900, 4_100)));

    private static StressReport report(List<StressStep> steps, Map<Integer, StressLimit> ramps) {
        return new StressReport(2_000, 20_000, steps, new TreeMap<>(ramps), null);
    }

    @Test
    void namesBothLimits() {
        assertThat(LIMITED.accountLimit()).contains(STEPS.get(3));
        assertThat(LIMITED.meetsTarget()).isTrue();
        assertThat(String.join("\n", LIMITED.verdict()))
                .contains("One partition takes about 1,897 entities/s, by 6 % more or less")
                .contains("Its target of 2,000/s is met")
                .contains("limit showed with 4 partitions: together they took 4,000 entities/s of 7,589");
        assertThat(LIMITED.table()).hasSize(6);
        assertThat(LIMITED.failures()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LIMITED.limit(3))
                .withMessageContaining("3 partitions, but of [1, 2, 4]");
    }

    @Test
    void doesNotTakeThrottledPartitionsForTheAccount() {
        StressReport report = report(
                STEPS.subList(0, 3),
                Map.of(
                        1, new StressLimit(Cause.SERVICE, 1_800, 2_000),
                        2, new StressLimit(Cause.SERVICE, 3_500, 3_900)));

        assertThat(report.accountLimit()).isEmpty();
        assertThat(report.verdict().get(2))
                .startsWith("The account's limit was not reached: 2 partitions took 3,700 entities/s");
    }

    @Test
    void doesNotTakeTheClientForALimit() {
        StressReport report = report(
                List.of(step(1, 1_000, 700, 0, 300), step(2, 900, 650, 0, 250)),
                Map.of(
                        1, new StressLimit(Cause.CLIENT, 700, 700),
                        2, new StressLimit(Cause.CLIENT, 650, 650)));

        assertThat(report.partitionLimit().cause()).isEqualTo(Cause.CLIENT);
        assertThat(report.meetsTarget()).isFalse();
        assertThat(report.accountLimit()).isEmpty();
        assertThat(report.verdict().get(0))
                .contains("The client was the limit at 700 entities/s", "with a median of 5.0 ms");
    }

    @Test
    void drawsABarForEachRate() throws Exception {
        Document chart = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(LIMITED.svg().getBytes(UTF_8)));

        assertThat(filled(chart, "#2b7a4b")).as("PUT, and the legend").isEqualTo(STEPS.size() + 1);
        assertThat(filled(chart, "#3b8fc2")).as("GET: the legend only").isEqualTo(1);
        assertThat(filled(chart, "#c0392b")).as("refused, and the legend").isEqualTo(3 + 1);
        assertThat(chart.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(chart.getElementsByTagName("circle").getLength()).isEqualTo(2 * STEPS.size());
        assertThat(chart.getDocumentElement().getTextContent()).contains("partitions", "latency, ms", "entities/s");
    }

    @Test
    void drawsBarsOfText() {
        assertThat(report(
                                List.of(step(1, 100, 100, 0, 0), step(1, 200, 100, 50, 50)),
                                Map.of(1, new StressLimit(Cause.SERVICE, 100, 100)))
                        .chart())
                .containsExactly(
                        "partitions  offered/s  # PUT, = GET, x refused, . not sent",
                        "         1        100  " + "#".repeat(30),
                        "         1        200  " + "#".repeat(30) + "x".repeat(15) + ".".repeat(15));
    }

    @ParameterizedTest
    @CsvSource({"300, 50", "100, 20", "8000, 2000", "4.5, 1"})
    void ticksAreRoundNumbers(double highest, double tick) {
        assertThat(StressChart.tick(highest)).isEqualTo(tick);
    }

    private static long filled(Document chart, String colour) {
        NodeList boxes = chart.getElementsByTagName("rect");
        long count = 0;
        for (int i = 0; i < boxes.getLength(); i++) {
            count += ((Element) boxes.item(i)).getAttribute("fill").equals(colour) ? 1 : 0;
        }
        return count;
    }
}

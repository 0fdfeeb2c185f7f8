package io.stowline.examples.stress;

import static io.stowline.examples.stress.RampTest.sample;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.ScalabilityTargets;
import java.io.ByteArrayInputStream;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class StressFindingsTest {

    private static final List<LoadSample> LIMITED = List.of(
            sample(1, 1_400, 1_400, 0, 0),
            sample(1, 2_100, 1_900, 200, 0),
            sample(2, 3_800, 3_700, 100, 0),
            sample(4, 7_000, 4_000, 3_000, 0));

    @Test
    void namesBothLimits() {
        StressFindings findings = findings(LIMITED).with(sample(1, 2_850, 1_520, 0, 1_330));

        assertThat(findings.isLimited()).isTrue();
        assertThat(findings.partitionLimit()).isEqualTo(1_900);
        assertThat(findings.accountLimit()).contains(LIMITED.get(3));
        assertThat(String.join("\n", findings.verdict()))
                .contains("One partition takes about 1,900 entities/s")
                .contains("limit showed with 4 partitions: together they took 4,000 entities/s of 7,600")
                .contains("allowed 2 to 8 requests in flight, and limited up to 1 throttled")
                .contains("With rate targets of 1,520/s for a partition the client wrote 1,520 of 2,850");
        assertThat(findings.table()).hasSize(7);
    }

    @Test
    void doesNotTakeThrottledPartitionsForTheAccount() {
        assertThat(findings(LIMITED.subList(0, 3)).accountLimit()).isEmpty();
    }

    @Test
    void doesNotTakeLatencyForALimit() {
        StressFindings findings = findings(List.of(sample(1, 1_000, 700, 0, 300), sample(2, 900, 650, 0, 250)));

        assertThat(findings.isLimited()).isFalse();
        assertThat(findings.accountLimit()).isEmpty();
        assertThat(String.join("\n", findings.verdict()))
                .contains("700 entities/s without throttling", "latency kept the load from rising")
                .contains("The account's limit was not reached: 2 partitions took 650 entities/s");
    }

    @Test
    void saysThatTheLoadEndedWithoutALimit() {
        assertThat(findings(List.of(sample(1, 3_000, 3_000, 0, 0))).verdict().get(0))
                .contains("the load ended at 1.5 times the target");
    }

    @Test
    void drawsABarForEachRate() throws Exception {
        Document chart = parsed(StressChart.svg(findings(LIMITED)));

        assertThat(filled(chart, "#2b7a4b")).as("written, and the legend").isEqualTo(LIMITED.size() + 1);
        assertThat(filled(chart, "#c0392b")).as("throttled, and the legend").isEqualTo(3 + 1);
        assertThat(chart.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(chart.getElementsByTagName("circle").getLength()).isEqualTo(2 * LIMITED.size());
        assertThat(chart.getDocumentElement().getTextContent()).contains("partitions", "latency, ms", "entities/s");
    }

    @ParameterizedTest
    @CsvSource({"300, 50", "100, 20", "8000, 2000", "4.5, 1"})
    void ticksAreRoundNumbers(double highest, double tick) {
        assertThat(StressChart.tick(highest)).isEqualTo(tick);
    }

    private static StressFindings findings(List<LoadSample> samples) {
        return new StressFindings(ScalabilityTargets.everywhere(), samples, null);
    }

    private static long filled(Document chart, String colour) {
        NodeList boxes = chart.getElementsByTagName("rect");
        long count = 0;
        for (int i = 0; i < boxes.getLength(); i++) {
            count += ((Element) boxes.item(i)).getAttribute("fill").equals(colour) ? 1 : 0;
        }
        return count;
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    }
}

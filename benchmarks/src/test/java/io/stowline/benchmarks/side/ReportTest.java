package io.stowline.benchmarks.side;

import static io.stowline.benchmarks.side.OutcomesOfTests.rates;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stowline.benchmarks.side.report.BarChart;
import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.ContenderResult;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Metric;
import io.stowline.benchmarks.side.report.ReportTable;
import io.stowline.benchmarks.side.report.RoundsFile;
import io.stowline.benchmarks.side.report.Scenario;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.report.WorkloadRun;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ReportTest {

    private static final List<ContenderResult> OUTCOMES = OutcomesOfTests.several();

    @Test
    void theTableHasMediansSpreadAndRatios() {
        assertThat(ReportTable.of(OUTCOMES, true).lines())
                .contains(
                        "| **EGT ingest, 8 in flight, Stowline not grouped**, against the SDK | entities/s | 100,000"
                                + " (100,000–100,000) | 400,000 (390,000–410,000) | 4.000 (3.900–4.100) | ≥ 3.00 | ≥ 4.50"
                                + " |",
                        "|  | CPU µs per entity | 10.00 (10.00–10.00) | 2.50 (2.44–2.56) | 0.250 (0.244–0.256) | ≤"
                                + " 0.250 | ≤ 0.200 |");
    }

    @Test
    void theTableHasANumberForRequests() {
        Series series = new Series(List.of(new Figures(1_600, 90, 1_024, Double.NaN, 2.0325, Double.NaN)));

        assertThat(ReportTable.of(List.of(OutcomesOfTests.outcome(Scenario.QUEUE_CONSUME, series, series)), true)
                        .lines())
                .contains(
                        "|  | requests per message | 2.033 (2.033–2.033) | 2.033 (2.033–2.033) | 1.000 (1.000–1.000) |"
                                + " ≤ 2.040 |  |")
                .anyMatch(line -> line.contains("| messages/s | 1,600 "));
    }

    @Test
    void theTableHasThePeakOfMemory() {
        WorkloadRun run = OutcomesOfTests.run(OutcomesOfTests.outcome(Scenario.BLOB_STREAM, rates(200), rates(100)))
                .withPeaks(Map.of(
                        Contender.STOWLINE, List.of(80.0 * (1 << 20)), Contender.PEER, List.of(64.0 * (1 << 20))));

        assertThat(ReportTable.of(WorkloadRun.results(List.of(run)), true).lines())
                .contains("|  | MiB of heap and direct memory at most | 64.0 (64.0–64.0) | 80.0 (80.0–80.0) | 1.250"
                        + " (1.250–1.250) ✗ | ≤ 1.000 |  |");
    }

    @Test
    void theChartOfWhatWasNotMeasuredIsEmpty() throws Exception {
        assertThat(chart(BarChart.of("Memory", Metric.PEAK, OUTCOMES))
                        .getElementsByTagName("rect")
                        .getLength())
                .isZero();
    }

    @Test
    void theTableMarksAMissedGate() {
        assertThat(ReportTable.of(OUTCOMES, true).lines().filter(line -> line.contains("✗")))
                .hasSize(4)
                .anyMatch(line -> line.contains("ops/s") && line.contains("1.000 (1.000–1.000) ✗"));
    }

    @Test
    void theTableHasNoGatesWhereTheyDoNotCount() {
        assertThat(ReportTable.of(OUTCOMES, false))
                .contains("1.000 (1.000–1.000) |  |  |")
                .doesNotContain("✗", "≥", "≤");
    }

    @Test
    void theOtherTableComparesWithNettyAloneWhereThatWasMeasured() {
        assertThat(ReportTable.bare(OUTCOMES))
                .contains("| CPU µs per entity | 2.00 (2.00–2.00) | 2.50 (2.44–2.56) | 1.25 |")
                .doesNotContain("upsert");
        assertThat(ReportTable.bare(OUTCOMES.subList(1, 2))).isEmpty();
    }

    @Test
    void theTableOfAClosedAdvisorHasTheRatiosOfItsRounds() {
        ContenderResult advised = OutcomesOfTests.with(
                OutcomesOfTests.outcome(
                        Scenario.POINT_READ_ADVISED, OutcomesOfTests.rates(97, 98), OutcomesOfTests.rates(100, 102)),
                Contender.OFF,
                OutcomesOfTests.rates(100, 100));

        assertThat(ReportTable.off(List.of(advised)))
                .contains("| point read with an advisor, 32 in flight | ops/s | 101 (100–102) | 100 (100–100) | 0.990"
                        + " (0.980–1.000) |");
        assertThat(ReportTable.off(OUTCOMES)).isEmpty();
    }

    @Test
    void theChartSaysHowManyTimesBetter() throws Exception {
        Document chart = chart(BarChart.of("CPU & more", Metric.CPU, OUTCOMES));

        assertThat(texts(chart)).contains("CPU & more", "EGT ingest", "4.0×", "1.0×");
        assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(2);
    }

    @Test
    void theChartHasMarksForGateAndAim() throws Exception {
        Document chart = chart(BarChart.of("CPU", Metric.CPU, OUTCOMES.subList(0, 1)));
        Element bar = (Element) chart.getElementsByTagName("rect").item(0);
        double left = number(bar, "x");
        double width = number(bar, "width");

        assertThat(mark(chart, "gate")).isEqualTo(left + width, within(0.2));
        assertThat(mark(chart, "aim")).isEqualTo(left + width * 5 / 4, within(0.2));
    }

    @Test
    void everyRoundIsInTheFile() throws Exception {
        JsonNode all = new ObjectMapper()
                .readTree(RoundsFile.of(
                        OUTCOMES.stream().map(OutcomesOfTests::run).toList()));

        assertThat(all.at("/ingest/Stowline")).hasSize(3);
        assertThat(all.at("/ingest/bare Netty/0/perSecond").asDouble()).isEqualTo(500_000);
        assertThat(all.at("/upsert/the SDK")).hasSize(1);
        assertThat(all.at("/upsert/warmUp/rounds").asInt()).isEqualTo(12);
        assertThat(all.at("/upsert/warmUp/compilerShare").asDouble()).isEqualTo(0.004);
        assertThat(all.at("/upsert/warmUp/quiet").asBoolean()).isTrue();
    }

    @Test
    void theTableWarnsOfRatiosThatLieFarApart() {
        ContenderResult apart = OutcomesOfTests.outcome(Scenario.UPSERT, rates(20, 22, 23), rates(10, 10, 10));
        ContenderResult close = OutcomesOfTests.outcome(Scenario.UPSERT, rates(21, 22, 23), rates(10, 10, 10));

        assertThat(ReportTable.of(List.of(apart), true)).contains("2.200 (2.000–2.300), spread 14 % | ≥ 1.40");
        assertThat(ReportTable.of(List.of(apart), true)).contains("0.455 (0.435–0.500), spread 14 % ✗ | ≤ 0.333");
        assertThat(ReportTable.of(List.of(close), true)).doesNotContain("spread");
    }

    @Test
    void aTableHasTheWarmUps() {
        WorkloadRun quiet = OutcomesOfTests.run(OUTCOMES.get(0));
        WorkloadRun busy =
                new WorkloadRun(OUTCOMES.get(1), new WarmUp(32, 0.041), 0.0301, quiet.wireBytes(), quiet.jvm());

        assertThat(ReportTable.warmUps(List.of(quiet, busy)).lines().skip(2))
                .containsExactly(
                        "| EGT ingest, 8 in flight, Stowline not grouped | 12 | the compiler was quiet: 0.4 % | 1.5 %"
                                + " |",
                        "| upsert, 32 in flight | 32 | the compiler was still at work: 4.1 % | 3.0 % |");
    }

    @Test
    void aTableHasTheBytesOnTheWireOfScans() {
        WorkloadRun upsert = OutcomesOfTests.run(OUTCOMES.get(1));
        WorkloadRun scan = new WorkloadRun(
                OutcomesOfTests.outcome(Scenario.SCAN, rates(1), rates(1)),
                upsert.warmUp(),
                0,
                Map.of(Contender.STOWLINE, 1_188.0, Contender.PEER, 1_524.0),
                upsert.jvm());

        assertThat(ReportTable.wire(List.of(upsert, scan)).lines().skip(2))
                .containsExactly("| scan, whole | 1,524 | 1,188 | 0.780 |");
        assertThat(ReportTable.wire(List.of(upsert))).isEmpty();
    }

    /** The last one: the legend comes first. */
    private static double mark(Document chart, String kind) {
        double x = Double.NaN;
        for (int i = 0; i < chart.getElementsByTagName("line").getLength(); i++) {
            Element line = (Element) chart.getElementsByTagName("line").item(i);
            if (line.getAttribute("class").equals(kind)) {
                x = number(line, "x1");
            }
        }
        return x;
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }

    private static List<String> texts(Document chart) {
        return IntStream.range(0, chart.getElementsByTagName("text").getLength())
                .mapToObj(i -> chart.getElementsByTagName("text").item(i).getTextContent())
                .toList();
    }

    private static Document chart(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }
}

package io.stowline.benchmarks.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.benchmarks.side.Pace;
import io.stowline.benchmarks.side.report.Metric;
import io.stowline.benchmarks.side.report.Series;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** A small run of each curve, and the published page and pictures, which are drawn from the published rounds once more. */
class GrowthReportTest {

    private static final Path ROOT = root();

    /** The figures of these processes mean nothing. */
    private static final List<String> CHEAP =
            List.of("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/README.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    @ParameterizedTest
    @EnumSource
    void measuresEachSizeOfACurve(GrowthCurve curve) throws Exception {
        Map<Integer, Series> measured =
                GrowthReport.measured(curve, curve.sizes().subList(0, 2), CHEAP, new Pace(2, 0, 0.01));

        assertThat(measured.keySet()).containsExactlyElementsOf(curve.sizes().subList(0, 2));
        assertThat(measured.values()).allSatisfy(series -> {
            assertThat(series.rounds()).hasSize(2);
            assertThat(series.min(Metric.RATE)).isPositive();
            assertThat(series.min(Metric.BYTES)).isPositive();
            if (curve.growth().isAboutMemory()) {
                assertThat(series.min(Metric.PEAK)).isGreaterThan(1 << 20);
            } else {
                assertThat(series.median(Metric.PEAK)).isNaN();
            }
        });
    }

    @Test
    void thePublishedPageHasThePublishedRounds() throws IOException {
        assertThat(Files.readString(ROOT.resolve("benchmarks/GROWTH.md")))
                .isEqualTo(GrowthPage.of(GrowthReport.results(ROOT)));
    }

    @ParameterizedTest
    @EnumSource
    void allSizesOfACurveArePublished(GrowthCurve curve) throws IOException {
        assertThat(GrowthReport.results(ROOT).of(curve).keySet()).containsExactlyElementsOf(curve.sizes());
    }

    @ParameterizedTest
    @EnumSource
    void thePublishedPictureShowsThePublishedRounds(Growth growth) throws Exception {
        String picture = Files.readString(ROOT.resolve("benchmarks/charts").resolve(growth.picture()));

        assertThat(picture).isEqualTo(GrowthChart.of(growth, GrowthReport.results(ROOT)));
        assertThat(picture).contains("prefers-color-scheme: dark", growth.axis(), growth.title());
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture)));
        assertThat(parsed.getElementsByTagName("script").getLength()).isZero();
        assertThat(parsed.getElementsByTagName("path").getLength())
                .isEqualTo(
                        GrowthCurve.of(growth).size() * GrowthFigure.of(growth).size());
    }

    @Test
    void aRunOfOneCurveKeepsTheOthers(@TempDir Path root) throws IOException {
        GrowthResults first = GrowthResults.read("""
            curve,size,per_second,cpu_micros,bytes,peak_bytes
            reads,1,1.00,2.0000,3.00,
            blobs,100,4.00,5.0000,6.00,7
            """);
        GrowthResults second = GrowthResults.read("""
            curve,size,per_second,cpu_micros,bytes,peak_bytes
            reads,1,8.00,9.0000,10.00,
            """);
        GrowthReport.save(root, second.or(first));

        assertThat(GrowthReport.results(root).text()).isEqualTo("""
            curve,size,per_second,cpu_micros,bytes,peak_bytes
            reads,1,8.00,9.0000,10.00,
            blobs,100,4.00,5.0000,6.00,7
            """);
        assertThat(root.resolve("benchmarks/charts/growth-listing.svg")).exists();
    }

    @Test
    void otherTextIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> GrowthResults.read("size,curve\n"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GrowthResults.read("curve,size,per_second,cpu_micros,bytes,peak_bytes\nreads,1\n"))
                .withMessage("a line of figures has 6 cells, not 2: reads,1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GrowthCurve.named("writes"))
                .withMessageStartingWith("no curve is named 'writes', only [partitions-in-turn, ");
    }

    @Test
    void anUnknownCommandIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GrowthReport.main(new String[] {"paint", "."}))
                .withMessageStartingWith("usage: GrowthReport run|draw FOLDER");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GrowthReport.main(new String[] {"run", ".", "--only", "reads", "--fast"}))
                .withMessage("not understood: --fast");
    }
}
